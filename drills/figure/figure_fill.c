#include "drills/figure/figure_fill.h"

#include <stdio.h>
#include <string.h>

#include "drills/question/choice.h"
#include "scenarios/formula/quantity.h"

static unsigned draw(uint64_t *state, unsigned n)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(*state >> 33) % n;
}

static void shuffle(const char **at, int n, uint64_t *state)
{
    for (int i = n - 1; i > 0; i--) {
        int k = (int)draw(state, (unsigned)i + 1);
        const char *kept = at[i];
        at[i] = at[k];
        at[k] = kept;
    }
}

/* Takes n of the slots that may be blank, in the order of the picture: each with the chance that
 * is left for it. */
static void take_slots(struct figure_fill *f, int askable, int n, uint64_t *state)
{
    for (int s = 0; s < f->figure->n_slots && f->n < n; s++) {
        if (!f->figure->slot[s].ask)
            continue;
        if ((int)draw(state, (unsigned)askable) < n - f->n)
            f->blank[f->n++].slot = s;
        askable--;
    }
}

static bool has_choice(const struct figure_blank *b, const char *text)
{
    for (int i = 0; i < b->n_choices; i++)
        if (!strcmp(b->choice[i], text))
            return true;
    return false;
}

/* Words of the group, each once, the right one among them. */
static void add_choices(struct figure_blank *b, const struct figure_data *f, uint64_t *state)
{
    const struct figure_slot *own = &f->slot[b->slot];
    b->choice[b->n_choices++] = own->text;
    int from = (int)draw(state, (unsigned)f->n_slots);
    for (int i = 0; i < f->n_slots && b->n_choices < FIGURE_CHOICES; i++) {
        const struct figure_slot *s = &f->slot[(from + i) % f->n_slots];
        if (!s->number && *s->text && !strcmp(s->group, own->group) && !has_choice(b, s->text))
            b->choice[b->n_choices++] = s->text;
    }
    shuffle(b->choice, b->n_choices, state);
}

void figure_fill_make(struct figure_fill *out, const struct figure_data *f, uint64_t seed)
{
    int askable = 0;
    uint64_t state = seed ^ 0x9e3779b97f4a7c15ull;
    for (int s = 0; s < f->n_slots; s++)
        askable += f->slot[s].ask;
    int n = askable / 3 < 3 ? 3 : askable / 3 > FIGURE_BLANKS ? FIGURE_BLANKS : askable / 3;
    *out = (struct figure_fill){.figure = f, .seed = seed};
    take_slots(out, askable, n < askable ? n : askable, &state);
    for (int b = 0; b < out->n; b++)
        if (!f->slot[out->blank[b].slot].number)
            add_choices(&out->blank[b], f, &state);
}

/* ---- grading ---- */

static bool number_right(const struct figure_slot *s, double value)
{
    return (value >= s->low && value <= s->high) || tolerance_holds(s->within, value, s->low) ||
           tolerance_holds(s->within, value, s->high);
}

static bool word_right(const struct figure_blank *b, const struct figure_slot *s,
                       const char *typed)
{
    char given[128], want[128];
    int place = choice_by_place(typed, b->n_choices);
    choice_plain(want, sizeof want, s->text, strlen(s->text));
    choice_plain(given, sizeof given, typed, strlen(typed));
    return !strcmp(given, want) || (place && !strcmp(b->choice[place - 1], s->text));
}

bool figure_fill_put(struct figure_fill *f, int blank, const char *typed, char *say, size_t size)
{
    struct figure_blank *b = &f->blank[blank];
    const struct figure_slot *s = &f->figure->slot[b->slot];
    struct quantity q = {0};
    bool right = false;
    *say = '\0';
    if (*typed && s->number) {
        if (quantity_read(typed, s->unit, &q, say, size) != QUANTITY_OK)
            return false;
        right = number_right(s, q.value);
    } else if (*typed) {
        right = word_right(b, s, typed);
    }
    int place = s->number ? 0 : choice_by_place(typed, b->n_choices);
    snprintf(b->typed, sizeof b->typed, "%s", place ? b->choice[place - 1] : typed);
    b->verdict = right ? BLANK_RIGHT : BLANK_WRONG;
    return true;
}

int figure_fill_right(const struct figure_fill *f)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        n += f->blank[i].verdict == BLANK_RIGHT;
    return n;
}

int figure_fill_open(const struct figure_fill *f)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        n += f->blank[i].verdict == BLANK_OPEN;
    return n;
}
