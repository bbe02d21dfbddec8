#include "scenarios/play/naming.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/pack/telling.h"

bool naming_due(const struct investigation *i)
{
    if (i->story->level < NAMING_LEVEL || i->phase != PHASE_OPEN || i->n_bought > 0 ||
        naming_text(i))
        return false;
    for (int m = 0; m < i->n_moves; m++)
        if (i->moves[m].kind == MOVE_BELIEVED)
            return false;
    return true;
}

const char *naming_text(const struct investigation *i)
{
    for (int m = 0; m < i->n_moves; m++)
        if (i->moves[m].kind == MOVE_NAMED)
            return i->moves[m].text ? i->moves[m].text : i->moves[m].answer;
    return NULL;
}

int naming_read(bool *named, const struct story *s, const char *text)
{
    struct words w;
    int n = 0, first, words;
    words_cut(&w, text, strlen(text));
    for (int k = 0; k < s->n_hypotheses; k++) {
        named[k] = telling_hypothesis(s->hypotheses[k], &w, SPOKEN_COMMENT, &first, &words) !=
                   TELLS_NOTHING;
        n += named[k];
    }
    words_free(&w);
    return n;
}

static size_t add(char *out, size_t size, size_t at, const char *text)
{
    if (at < size)
        at += (size_t)snprintf(out + at, size - at, "%s", text);
    return at < size ? at : size - 1;
}

void naming_says(char *out, size_t size, const struct investigation *i, int cause, const char *who)
{
    const struct story *s = i->story;
    const char *text = naming_text(i);
    bool named[MAX_HYPOTHESES], hit = false;
    out[0] = '\0';
    if (!text || !text[0])
        return;
    int n = naming_read(named, s, text);
    for (int k = 0; k < s->n_hypotheses; k++)
        hit |= named[k] && k == cause;
    size_t at = (size_t)snprintf(out, size, "%s named %d of the %d on offer, the cause %s%s", who,
                                 n, s->n_hypotheses, hit ? "among them" : "not among them",
                                 n < s->n_hypotheses ? "; not: " : "");
    bool more = false;
    for (int k = 0; k < s->n_hypotheses; k++)
        if (!named[k]) {
            at = add(out, size, at, more ? ", " : "");
            at = add(out, size, at, s->hypotheses[k]->label);
            more = true;
        }
}
