#include "tui/home/home_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/items.h"
#include "db/moment.h"
#include "drills/memory/review.h"
#include "drills/progress/queue_load.h"
#include "kernels/wire/text.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/pack/probe.h"
#include "scenarios/pack/taxonomy.h"
#include "scenarios/play/attempt.h"
#include "tui/mend/mend.h"

static const char *const groups[HOME_GROUPS] = {
    "memory",
    "shared memory",
    "latency",
    "occupancy and shape",
    "instructions",
    "host and pipeline",
    "correctness",
    "measurement",
    "system",
    "nothing was wrong",
};

enum {
    LATELY_MOST = 40,
    REVIEWS_READ = 400,
    ESTIMATES_READ = 500,
    ESTIMATE_DAYS = 180,
    SCENARIOS_A_DAY = 2
};

static bool is_revealed(const struct store_attempt *a)
{
    return !strcmp(a->state, "revealed");
}

static bool is_open(const struct store_attempt *a)
{
    return !strcmp(a->state, "open") || !strcmp(a->state, "committed");
}

const struct store_attempt *home_open_attempt(const struct store_attempt *a, int n,
                                              const char *story_id)
{
    for (int i = 0; i < n; i++)
        if (is_open(&a[i]) && next_is_of_story(a[i].scenario, story_id))
            return &a[i];
    return NULL;
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
    *it = (struct next_item){.id = s->full_id,
                             .title = s->title,
                             .level = s->level,
                             .counted = s->counted};
    it->begun = home_open_attempt(d->attempt, d->n_attempts, s->full_id) != NULL;
    for (int k = 0; k < s->n_variants; k++)
        it->unseen_variants += !variant_was_seen(d, s->variants[k]);
    for (int i = 0; i < d->n_attempts; i++) {
        const struct store_attempt *a = &d->attempt[i];
        if (!is_revealed(a) || !next_is_of_story(a->scenario, s->full_id))
            continue;
        it->seen++;
        it->solved = it->solved || (a->counted && a->cause_right == 1);
        it->rests = it->rests || (a->cause_right == 1 &&
                                  attempt_utc_ms() - a->started_ms < STORY_REST_MS);
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

static int suggest_scenarios(struct home_data *d, const struct catalog *c,
                             struct next out[NEXT_MOST])
{
    struct next_item *items = NULL;
    struct store_attempt *open;
    int n = 0, n_open = open_attempts(d, &open);
    for (int i = 0; c && i < c->n_packs; i++)
        for (int k = 0; k < c->packs[i]->n_stories; k++) {
            items = mem_grow(items, (size_t)n + 1, sizeof *items);
            item_fill(&items[n++], d, &c->packs[i]->stories[k]);
        }
    int count = next_suggest(out, items, n, open, n_open, d->finished_any);
    free(open);
    free(items);
    return count;
}

/* "5 of 15 min spent": what a level grants is public. */
static void continue_reason(struct next *out, const struct home_data *d, const struct catalog *c)
{
    const struct story *story;
    const struct variant *variant;
    struct err err;
    for (int i = 0; i < d->n_attempts; i++)
        if (!strcmp(d->attempt[i].uid, out->id) && c &&
            catalog_find(c, d->attempt[i].scenario, &story, &variant, &err) == 0)
            snprintf(out->reason, sizeof out->reason, "%d of %d min spent, not finished",
                     d->attempt[i].price, level_patience(story->level));
}

/* ---- drills and cards ---- */

static void practice_of(struct next_practice *p, struct home_data *d, const struct queue *q,
                        bool drills_known)
{
    const struct queue_sum *drills = &q->sum[QUEUE_DRILL], both = queue_cards(q), *cards = &both;
    p->drills.now = drills->now;
    p->drills.slips = drills->slips;
    p->drills.fresh = drills->fresh;
    p->drills.seconds = drills->seconds;
    p->cards.now = cards->now;
    p->cards.slips = cards->slips;
    p->cards.fresh = cards->fresh;
    p->cards.seconds = cards->seconds;
    p->drills_known = drills_known;
    p->interview_in = d->interview_in;
    d->drills = (struct home_bar){drills->done, drills->done + drills->now - drills->again};
    d->cards = (struct home_bar){cards->done, cards->done + cards->now - cards->again};
}

static bool was_drilled(const struct queue_item *items, int n)
{
    for (int i = 0; i < n; i++)
        if (items[i].kind == QUEUE_DRILL && items[i].memory.reviews > 0)
            return true;
    return false;
}

static void practise(struct home_data *d, const struct home_sources *from, struct next_practice *p)
{
    struct queue_item *items = NULL;
    struct queue_settings s;
    struct queue q;
    struct err err = {0};
    int n = 0;
    queue_settings_load(&s, from->store, from->now_ms);
    d->interview_in = s.interview >= s.today && s.interview > 0 ? s.interview - s.today : -1;
    if (queue_load(&items, &n, from->library, from->store, from->gpu, &err) != 0)
        snprintf(d->trouble, sizeof d->trouble, "%.255s", err.text);
    bool known = was_drilled(items, n);
    queue_settings_begin(&s, items, n);
    queue_build(&q, items, n, &s);
    practice_of(p, d, &q, known);
    queue_free(&q);
    free(items);
}

/* Scenarios a day, as kept under "scenarios"; 2 when nothing, or something odd, is kept. */
static int home_scenarios_a_day(struct store *store)
{
    char *text = NULL, *end;
    long n = SCENARIOS_A_DAY;
    if (store && store_setting_get(store, "scenarios", &text) == 1) {
        n = strtol(text, &end, 10);
        if (end == text || *end || n < 0 || n > 20)
            n = SCENARIOS_A_DAY;
    }
    free(text);
    return (int)n;
}

static bool is_warm_up(const struct store_attempt *a, const struct catalog *c)
{
    const struct story *story;
    const struct variant *variant;
    struct err err;
    return c && catalog_find(c, a->scenario, &story, &variant, &err) == 0 && !story->counted;
}

static void count_scenarios(struct home_data *d, const struct home_sources *from)
{
    int today = store_day(from->now_ms);
    d->scenarios.of = home_scenarios_a_day(from->store);
    for (int i = 0; i < d->n_attempts; i++) {
        const struct store_attempt *a = &d->attempt[i];
        d->scenarios.done += is_revealed(a) && store_day(a->started_ms + a->elapsed_ms) == today &&
                             !is_warm_up(a, from->catalog);
    }
}

/* Was its cause named, can it be mended, and was it not yet? */
static bool waits_to_be_mended(const struct store_attempt *a, const struct home_sources *from)
{
    const struct story *story;
    const struct variant *v = NULL;
    struct mend_tries tries;
    struct err err;
    if (!is_revealed(a) || a->cause_right != 1 ||
        catalog_find(from->catalog, a->scenario, &story, &v, &err) || !v || mend_useless(v) ||
        mend_tries_read(&tries, from->store, v->full_id, &err))
        return false;
    bool done = mend_score_of(&tries).done;
    mend_tries_free(&tries);
    return !done;
}

/* The newest one, where there is a GPU to judge it. */
static void mending(const struct home_data *d, const struct home_sources *from,
                    struct next_practice *p)
{
    for (int i = 0; from->gpu && from->catalog && i < d->n_attempts && !p->mend; i++)
        if (waits_to_be_mended(&d->attempt[i], from)) {
            p->mend = d->attempt[i].uid;
            p->mend_title = d->attempt[i].title;
        }
}

static void suggest(struct home_data *d, const struct home_sources *from)
{
    struct next scenarios[NEXT_MOST] = {0};
    struct next_practice p = {0};
    int n = suggest_scenarios(d, from->catalog, scenarios);
    practise(d, from, &p);
    mending(d, from, &p);
    count_scenarios(d, from);
    d->n_next = next_day(d->next, &p, scenarios, n);
    for (int i = 0; i < d->n_next; i++)
        if (d->next[i].kind == NEXT_CONTINUE)
            continue_reason(&d->next[i], d, from->catalog);
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
static void said_add(struct standing_said **said, int *n, const struct store_attempt *a,
                     struct store *store)
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
            (*said)[(*n)++] =
                (struct standing_said){b[i].points / 100.0, !strcmp(b[i].hypothesis, a->cause)};
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

/* The latest estimates alone: how one estimates now, and years of them would make home slow. */
static void estimate(struct home_data *d, struct store *store, int today)
{
    struct store_answer_filter filter = {.since_day = today - ESTIMATE_DAYS,
                                         .limit = ESTIMATES_READ};
    struct store_answer *a = NULL;
    struct standing_slip top;
    int n = 0, n_tries = 0;
    if (store_answers(store, &filter, &a, &n) != STORE_OK)
        return;
    struct standing_try *tries = mem_new((size_t)n + 1, sizeof *tries);
    double *factors = mem_new((size_t)n + 1, sizeof *factors);
    for (int i = 0; i < n; i++) {
        if (!a[i].readable || !strcmp(a[i].how, "skipped"))
            continue;
        tries[n_tries++] = (struct standing_try){.group = "", .n = 1, .slip = a[i].slip};
        if (a[i].value > 0 && a[i].truth > 0)
            factors[d->estimates++] = exp(fabs(a[i].log_error));
    }
    d->factor = standing_median(factors, d->estimates);
    if (standing_slips(&top, 1, tries, n_tries) > 0) {
        snprintf(d->slip, sizeof d->slip, "%s", top.slip);
        d->slips = top.n;
    }
    free(factors);
    free(tries);
    free(a);
}

static void look_back(struct home_data *d, const struct home_sources *from)
{
    struct store_review *r = NULL;
    int n = 0;
    if (from->store && store_reviews(from->store, NULL, 0, REVIEWS_READ, &r, &n) != STORE_OK)
        n = 0;
    d->n_lately = lately_make(&d->lately, d->attempt, d->n_attempts, r, n, n == REVIEWS_READ,
                              from->library, LATELY_MOST);
    d->first_start = !d->finished_any && n == 0;
    free(r);
}

void home_data_load(struct home_data *d, const struct home_sources *from)
{
    struct store *store = from->store;
    home_data_free(d);
    if (store)
        review_causes(store, NULL); /* what fails now is done the next time */
    if (store && store_attempts(store, NULL, 0, &d->attempt, &d->n_attempts) != STORE_OK)
        snprintf(d->trouble, sizeof d->trouble, "%s", store_message(store));
    for (int i = 0; i < d->n_attempts; i++)
        d->finished_any |= is_revealed(&d->attempt[i]);
    suggest(d, from);
    look_back(d, from);
    stand(d);
    if (store) {
        calibrate(d, store);
        estimate(d, store, store_day(from->now_ms));
    }
}

void home_data_free(struct home_data *d)
{
    free(d->attempt);
    free(d->lately);
    memset(d, 0, sizeof *d);
}
