#include "tui/home_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/review.h"
#include "kernels/wire/text.h"
#include "scenarios/taxonomy.h"

static const char *const groups[HOME_GROUPS] = {
    "memory", "shared memory", "latency", "occupancy and shape", "instructions", "host and pipeline", "correctness", "measurement", "nothing was wrong",
};

static bool is_revealed(const struct store_attempt *a)
{
    return !strcmp(a->state, "revealed");
}

static bool is_open(const struct store_attempt *a)
{
    return !strcmp(a->state, "open") || !strcmp(a->state, "committed");
}

/* ---- what could be done ---- */

static bool variant_was_seen(const struct home_data *d, const struct variant *v)
{
    for (int i = 0; i < d->n_attempts; i++)
        if (is_revealed(&d->attempt[i]) && !strcmp(d->attempt[i].scenario, v->full_id))
            return true;
    return false;
}

static void item_fill(struct next_item *it, const struct home_data *d, const struct story *s)
{
    size_t n = strlen(s->full_id);
    *it = (struct next_item){ .id = s->full_id, .title = s->title, .level = s->level, .counted = s->counted };
    for (int k = 0; k < s->n_variants; k++)
        it->unseen_variants += !variant_was_seen(d, s->variants[k]);
    for (int i = 0; i < d->n_attempts; i++) {
        const struct store_attempt *a = &d->attempt[i];
        if (!is_revealed(a) || strncmp(a->scenario, s->full_id, n) || (a->scenario[n] && a->scenario[n] != '/'))
            continue;
        it->seen++;
        if (a->started_ms > it->seen_ms)
            it->seen_ms = a->started_ms;
    }
}

static int open_attempts(const struct home_data *d, struct store_attempt **out)
{
    int n = 0;
    *out = mem_new((size_t)d->n_attempts + 1, sizeof **out);
    for (int i = 0; i < d->n_attempts; i++)
        if (is_open(&d->attempt[i]))
            (*out)[n++] = d->attempt[i];
    return n;
}

static void suggest(struct home_data *d, const struct catalog *c)
{
    struct next_item *items = NULL;
    struct store_attempt *open;
    int n = 0, n_open = open_attempts(d, &open);
    for (int i = 0; c && i < c->n_packs; i++)
        for (int k = 0; k < c->packs[i]->n_stories; k++) {
            items = mem_grow(items, (size_t)n + 1, sizeof *items);
            item_fill(&items[n++], d, &c->packs[i]->stories[k]);
        }
    d->n_next = next_suggest(d->next, items, n, open, n_open, d->finished_any);
    free(open);
    free(items);
}

/* ---- how it went ---- */

static void stand(struct home_data *d)
{
    struct standing_look *looks = mem_new((size_t)d->n_attempts + 1, sizeof *looks);
    int n = 0;
    for (int i = 0; i < d->n_attempts; i++) {
        const struct store_attempt *a = &d->attempt[i];
        const struct hypothesis *h = taxonomy_find(a->cause);
        if (is_revealed(a) && a->counted && a->scored && h)
            looks[n++] = (struct standing_look){ h->group, a->score };
    }
    for (int g = 0; g < HOME_GROUPS; g++)
        d->group[g].group = groups[g];
    standing_groups(d->group, HOME_GROUPS, looks, n);
    free(looks);
}

/* Appends the beliefs held at the end of one attempt. */
static void said_add(struct standing_said **said, int *n, const struct store_attempt *a, struct store *store)
{
    struct store_belief *b;
    int n_beliefs, last = 0;
    if (store_beliefs(store, a->uid, &b, &n_beliefs) != STORE_OK)
        return;
    for (int i = 0; i < n_beliefs; i++)
        last = b[i].step > last ? b[i].step : last;
    *said = mem_grow(*said, (size_t)(*n + n_beliefs + 1), sizeof **said);
    for (int i = 0; i < n_beliefs; i++)
        if (b[i].step == last)
            (*said)[(*n)++] = (struct standing_said){ b[i].points / 100.0, !strcmp(b[i].hypothesis, a->cause) };
    free(b);
}

static void calibrate(struct home_data *d, struct store *store)
{
    struct standing_said *said = NULL;
    for (int i = 0; i < d->n_attempts; i++)
        if (is_revealed(&d->attempt[i]) && d->attempt[i].counted)
            said_add(&said, &d->said, &d->attempt[i], store);
    standing_calibrate(d->bin, said, d->said);
    free(said);
}

void home_data_load(struct home_data *d, const struct catalog *catalog, struct store *store)
{
    home_data_free(d);
    if (store)
        review_causes(store, NULL); /* what fails now is done the next time */
    if (store && store_attempts(store, NULL, 0, &d->attempt, &d->n_attempts) != STORE_OK)
        snprintf(d->trouble, sizeof d->trouble, "%s", store_message(store));
    for (int i = 0; i < d->n_attempts; i++)
        d->finished_any |= is_revealed(&d->attempt[i]);
    suggest(d, catalog);
    stand(d);
    if (store)
        calibrate(d, store);
}

void home_data_free(struct home_data *d)
{
    free(d->attempt);
    memset(d, 0, sizeof *d);
}
