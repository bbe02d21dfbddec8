/* Which variant of a story is next, by what the store knows of them. */
#include "scenarios/play/attempt_pick.h"

#include <stdlib.h>
#include <string.h>

/* What the store knows of a story's variants. */
struct drawing {
    const struct variant *not;  /* not to be drawn */
    bool rests;                 /* a debrief of the story was read within STORY_REST_MS */
    struct store_attempt *rows;
    int n;
};

static void drawing_open(struct drawing *d, const struct story *s, struct store *store)
{
    size_t len = strlen(s->full_id);
    if (!store || store_attempts(store, NULL, 0, &d->rows, &d->n) != STORE_OK)
        d->n = 0;
    for (int i = 0; i < d->n; i++) {
        const struct store_attempt *a = &d->rows[i];
        bool ours = !strncmp(a->scenario, s->full_id, len) && a->scenario[len] == '/';
        d->rests = d->rests || (ours && a->cause_right >= 0 &&
                                attempt_utc_ms() - a->started_ms < STORY_REST_MS);
    }
}

static int looks_in(const struct drawing *d, const struct variant *v)
{
    int count = 0;
    for (int i = 0; i < d->n; i++)
        count += !strcmp(d->rows[i].scenario, v->full_id);
    return count;
}

static bool may_be_drawn(const struct drawing *d, const struct variant *v)
{
    bool healthy = !v->sealed && v->pair == PAIR_HEALTHY;
    return v != d->not && !(d->rests && healthy);
}

static const struct variant *draw(const struct drawing *d, const struct story *s, uint64_t seed)
{
    int least = 0, fewest = 0;
    for (int i = 0; i < s->n_variants; i++) {
        int n = looks_in(d, s->variants[i]);
        if (!may_be_drawn(d, s->variants[i]))
            continue;
        if (fewest == 0 || n < least)
            fewest = 0, least = n;
        fewest += n == least;
    }
    uint64_t chosen = fewest ? seed % (uint64_t)fewest : 0;
    for (int i = 0; fewest && i < s->n_variants; i++)
        if (may_be_drawn(d, s->variants[i]) && looks_in(d, s->variants[i]) == least &&
            chosen-- == 0)
            return s->variants[i];
    return NULL;
}

bool attempt_is_first_look(struct store *store, const struct variant *v)
{
    struct store_attempt *rows = NULL;
    size_t story = strlen(v->story->full_id);
    int n = 0;
    bool first = true;
    if (!store || store_attempts(store, NULL, 0, &rows, &n) != STORE_OK)
        return true;
    for (int i = 0; i < n; i++) {
        bool same = strcmp(rows[i].scenario, v->full_id) == 0;
        bool sibling = strncmp(rows[i].scenario, v->story->full_id, story) == 0 &&
                       rows[i].scenario[story] == '/';
        first = first && !same && !(sibling && strcmp(rows[i].state, "revealed") == 0);
    }
    free(rows);
    return first;
}

const struct variant *attempt_pick(const struct story *s, struct store *store, uint64_t seed)
{
    struct drawing d = {0};
    drawing_open(&d, s, store);
    const struct variant *v = draw(&d, s, seed);
    free(d.rows);
    return v ? v : s->n_variants ? s->variants[0] : NULL;
}

const struct variant *attempt_pick_other(const struct variant *not, struct store *store,
                                         uint64_t seed)
{
    struct drawing d = {.not = not};
    drawing_open(&d, not->story, store);
    d.rests = true;
    const struct variant *v = draw(&d, not->story, seed);
    free(d.rows);
    return v;
}
