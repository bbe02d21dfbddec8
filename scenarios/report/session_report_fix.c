/* The fix that was asked for: each text with what came of it. */
#include "scenarios/report/session_report_inside.h"

#include <stdio.h>

#include "scenarios/interview/session_mend.h"

static const char *headline(char *out, size_t size, const struct session_try *t)
{
    if (!t->verdict)
        return "not judged before the end";
    mend_headline(out, size, t->verdict);
    return out;
}

static json_t *moved_json(const struct session_state *p, int at)
{
    struct mend_moved moved[MEND_MOVED_MOST];
    int since, n = session_try_moved(moved, p, at, &since);
    json_t *list = json_array();
    for (int k = 0; k < n; k++) {
        char words[120];
        mend_moved_words(words, sizeof words, &moved[k]);
        json_array_append_new(list, json_pack("{s:i, s:s}", "since", since, "text", words));
    }
    return list;
}

static json_t *try_json(const struct session_state *p, int at)
{
    const struct session_try *t = &p->tries[at];
    char words[240];
    json_t *one = json_pack("{s:i, s:I, s:s, s:o}", "n", at + 1, "at_ms",
                            (json_int_t)t->elapsed_ms, "text", t->text, "moved",
                            moved_json(p, at));
    report_put(one, "headline", headline(words, sizeof words, t));
    if (t->verdict)
        json_object_set_new(one, "verdict", mend_encode(t->verdict));
    return one;
}

json_t *report_fix(const struct reporting *r, int part)
{
    const struct session_state *p = &r->session->parts[part];
    bool asked = false;
    for (int i = 0; i < r->session->events; i++)
        asked |= r->session->log[i]->kind == SESSION_MENDING && r->session->log[i]->part == part;
    if (!asked || !report_truth(r, part))
        return NULL;
    json_t *tries = json_array();
    for (int i = 0; i < p->n_tries; i++)
        json_array_append_new(tries, try_json(p, i));
    return tries;
}

json_t *report_fix_score(const struct session_state *p)
{
    struct mend_score score = session_fix_score(p);
    char words[240];
    json_t *out = mend_score_encode(&score);
    mend_score_words(words, sizeof words, &score);
    report_put(out, "say", words);
    return out;
}
