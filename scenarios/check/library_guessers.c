/* The table stands at the end; each row's rule is a function above it. What they share: how often
 * a cause is true where it is on offer, and how often nothing is wrong, among openings that are
 * alike in something. */
#include "scenarios/check/library_guessers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static const double PRIOR = 2;            /* variants that are imagined beside those counted */

static int offers(const struct opening *one, int cause)
{
    for (int h = 0; h < one->n; h++)
        if (one->cause[h] == cause)
            return h;
    return -1;
}

static void even(double *p, int n)
{
    for (int h = 0; h < n; h++)
        p[h] = 1.0 / n;
}

static void normalise(double *p, int n)
{
    double sum = 0;
    for (int h = 0; h < n; h++)
        sum += p[h];
    for (int h = 0; h < n; h++)
        p[h] /= sum;
}

/* ---- what is known of all stories, counted once ---- */

/* Of two variants of a known story, where the first is as healthy as the one that was seen. */
struct pairs { struct tally healthy, same; };

enum { THIRDS = 3, PLACES /* none.at-limit is always last, and a place of its own */ };

/* Openings up to one of those with a time: all, those of no last letter, those of a last one. */
enum { ANY, NOT_LAST, LAST, ENDS };
struct timed { const struct opening *one; struct tally upto[ENDS]; };

struct lore {
    const struct openings *o;
    struct census *all, **sorted;     /* sorted: of each guesser that sorts, else NULL */
    struct tally places[PLACES];
    struct pairs pairs[2];            /* by whether the first is healthy */
    struct timed *timed; int n_timed; /* shortest first */
    double *limit;                    /* [story][story]: what parts the healthy without these two */
};

/* ---- how often ---- */

static double share(struct tally t, double before)
{
    return (t.true_ + PRIOR * before) / (t.n + PRIOR);
}

static double all_alike(const struct opening *one)
{
    (void)one;
    return 0;
}

static double often(const struct game *g, int cause)
{
    return share(census_count(g->lore->all, &g->hidden, g->at, cause), 1.0 / g->at->n);
}

static void often_each(double *p, const struct game *g)
{
    for (int h = 0; h < g->at->n; h++)
        p[h] = often(g, g->at->cause[h]);
}

/* Among those of its sort. */
static struct tally count_sort(const struct game *g, int cause)
{
    return census_count(g->lore->sorted[g->who - guesser_table(NULL)], &g->hidden, g->at, cause);
}

/* Each cause is as likely as it is often true among those of its sort. */
static void guess_by_sort(double *p, const struct game *g)
{
    often_each(p, g);
    for (int h = 0; h < g->at->n; h++)
        p[h] = share(count_sort(g, g->at->cause[h]), p[h]);
    normalise(p, g->at->n);
}

/* `healthy` to nothing wrong, where that is on offer; the others share the rest as p has it. */
static void set_healthy(double *p, const struct game *g, double healthy)
{
    int none = g->at->none;
    if (none < 0)
        return;
    p[none] = 0;
    normalise(p, g->at->n);
    for (int h = 0; h < g->at->n; h++)
        p[h] = h == none ? healthy : p[h] * (1 - healthy);
}

/* How often nothing is wrong elsewhere; without that on offer it does not matter. */
static double often_healthy(const struct game *g)
{
    return g->at->none < 0 ? 0 : often(g, g->at->cause[g->at->none]);
}

static double healthy_of_sort(const struct game *g)
{
    int none = g->at->none;
    return none < 0 ? 0 : share(count_sort(g, g->at->cause[none]), often_healthy(g));
}

static void guess_healthy(double *p, const struct game *g)
{
    even(p, g->at->n);
    set_healthy(p, g, healthy_of_sort(g));
}

static void guess_always(double *p, const struct game *g)
{
    int h = offers(g->at, g->always);
    even(p, g->at->n);
    for (int k = 0; h >= 0 && k < g->at->n; k++)
        p[k] = k == h;
}

/* ---- what openings are sorted by ---- */

static double by_letter(const struct opening *one)
{
    return one->letter;
}

static double by_last(const struct opening *one)
{
    return one->letter == one->letters - 1;
}

static double by_letters(const struct opening *one)
{
    return one->letters;
}

static double by_level(const struct opening *one)
{
    return one->level;
}

static double by_kind(const struct opening *one)
{
    return one->kind;
}

static double by_hypotheses(const struct opening *one)
{
    return one->n;
}

/* ---- the time beside a copy's ---- */

static bool is_timed(const struct opening *one)
{
    return one->over_copy > 0;
}

/* Within a factor of two. */
static double by_time(const struct opening *one)
{
    return is_timed(one) ? floor(log2(one->over_copy)) : -99;
}

static int by_over_copy(const void *a, const void *b)
{
    double x = ((const struct timed *)a)->one->over_copy,
           y = ((const struct timed *)b)->one->over_copy;
    return (x > y) - (x < y);
}

static void count_timed(struct tally *t, const struct opening *one, int sign)
{
    int end = by_last(one) > 0 ? LAST : NOT_LAST;
    t[ANY].n += sign;
    t[ANY].true_ += sign * one->healthy;
    t[end].n += sign;
    t[end].true_ += sign * one->healthy;
}

static void sort_timed(struct lore *l)
{
    struct tally upto[ENDS] = {{0}};
    l->timed = mem_new((size_t)l->o->n, sizeof *l->timed);
    for (int i = 0; i < l->o->n; i++)
        if (is_timed(&l->o->all[i]))
            l->timed[l->n_timed++].one = &l->o->all[i];
    qsort(l->timed, (size_t)l->n_timed, sizeof *l->timed, by_over_copy);
    for (int i = 0; i < l->n_timed; i++) {
        count_timed(upto, l->timed[i].one, 1);
        memcpy(l->timed[i].upto, upto, sizeof upto);
    }
}

/* How many with a time are within the limit. */
static int within(const struct lore *l, double limit)
{
    int low = 0, high = l->n_timed;
    while (low < high) {
        int middle = (low + high) / 2;
        if (l->timed[middle].one->over_copy > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct tally upto(const struct lore *l, int n, int end)
{
    return n ? l->timed[n - 1].upto[end] : (struct tally){0};
}

static struct tally minus(struct tally a, struct tally b)
{
    return (struct tally){a.n - b.n, a.true_ - b.true_};
}

/* Healthy ones within the limit, or beyond it. */
static struct tally count_side(const struct game *g, double limit, bool beyond, int end)
{
    const struct lore *l = g->lore;
    struct tally t = upto(l, within(l, limit), end), out[ENDS] = {{0}};
    for (int k = 0; k < g->hidden.n; k++) {
        const struct opening_story *s = &l->o->stories[g->hidden.story[k]];
        for (int i = s->first; i < s->first + s->n; i++)
            if (is_timed(&l->o->all[i]) && (l->o->all[i].over_copy > limit) == beyond)
                count_timed(out, &l->o->all[i], 1);
    }
    return minus(beyond ? minus(upto(l, l->n_timed, end), t) : t, out[end]);
}

/* How well a limit parts the healthy from the others: the squares that it takes away. */
static double parts(struct tally upto, struct tally all)
{
    struct tally beyond = minus(all, upto);
    double sum = upto.n > 0 ? upto.true_ * upto.true_ / upto.n : 0;
    return sum + (beyond.n > 0 ? beyond.true_ * beyond.true_ / beyond.n : 0);
}

/* The known ones among those with a time; list: [l->n_timed]. */
static int list_known(const struct opening **list, const struct lore *l, const struct hidden *h)
{
    int n = 0;
    for (int i = 0; i < l->n_timed; i++)
        if (!hidden_has(h, l->timed[i].one->story))
            list[n++] = l->timed[i].one;
    return n;
}

static double best_limit(const struct opening **timed, int n)
{
    struct tally all = {0}, upto = {0};
    double limit = 0, best = -1;
    for (int i = 0; i < n; i++)
        all = (struct tally){all.n + 1, all.true_ + timed[i]->healthy};
    for (int i = 0; i < n; i++) {
        upto = (struct tally){upto.n + 1, upto.true_ + timed[i]->healthy};
        bool last = i + 1 == n || timed[i + 1]->over_copy > timed[i]->over_copy;
        double now = last ? parts(upto, all) : best;
        if (now > best) {
            best = now;
            limit = timed[i]->over_copy;
        }
    }
    return limit;
}

/* One pass over the times for each two stories, and no guess makes another. */
static void find_limits(struct lore *l)
{
    int n = l->o->n_stories;
    const struct opening **known = mem_new((size_t)l->n_timed, sizeof *known);
    l->limit = mem_new((size_t)n * (size_t)n, sizeof *l->limit);
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            struct hidden h = {.story = {a, b}, .n = 2};
            double limit = best_limit(known, list_known(known, l, &h));
            l->limit[a * n + b] = l->limit[b * n + a] = limit;
        }
    free(known);
}

static double limit_of(const struct game *g)
{
    int first = g->hidden.story[0], last = g->hidden.story[g->hidden.n - 1];
    return g->lore->limit[first * g->o->n_stories + last];
}

/* end: among openings of such letters alone. */
static double healthy_by_time(const struct game *g, int end)
{
    double limit = limit_of(g), before = often_healthy(g);
    if (!is_timed(g->at))
        return before;
    return share(count_side(g, limit, g->at->over_copy > limit, end), before);
}

static void guess_by_time(double *p, const struct game *g)
{
    even(p, g->at->n);
    set_healthy(p, g, healthy_by_time(g, ANY));
}

/* Everything that helps: letter and time together, the rest as often as it is true elsewhere. */
static void guess_together(double *p, const struct game *g)
{
    often_each(p, g);
    normalise(p, g->at->n);
    set_healthy(p, g,
                is_timed(g->at) ? healthy_by_time(g, by_last(g->at) > 0 ? LAST : NOT_LAST)
                                : healthy_of_sort(g));
}

/* ---- the place in the list ---- */

static int place(const struct opening *one, int h)
{
    return h == one->none ? THIRDS : h * THIRDS / one->n;
}

static void count_places(struct tally *t, const struct opening *one, int sign)
{
    for (int h = 0; h < one->n; h++) {
        t[place(one, h)].n += sign;
        t[place(one, h)].true_ += sign * (h == one->truth);
    }
}

static void guess_by_place(double *p, const struct game *g)
{
    struct tally t[PLACES];
    memcpy(t, g->lore->places, sizeof t);
    for (int k = 0; k < g->hidden.n; k++) {
        const struct opening_story *s = &g->o->stories[g->hidden.story[k]];
        for (int i = s->first; i < s->first + s->n; i++)
            count_places(t, &g->o->all[i], -1);
    }
    for (int h = 0; h < g->at->n; h++)
        p[h] = share(t[place(g->at, h)], 1.0 / g->at->n);
    normalise(p, g->at->n);
}

/* ---- after a first look ---- */

static void count_pair(struct pairs *p, const struct opening *seen, const struct opening *next,
                       int sign)
{
    p->healthy.n += sign;
    p->healthy.true_ += sign * next->healthy;
    p->same.n += sign;
    p->same.true_ += sign * (next->cause[next->truth] == seen->cause[seen->truth]);
}

/* p: [2], by whether the first of a pair is healthy. */
static void count_pairs(struct pairs *p, const struct openings *o, int story, int sign)
{
    const struct opening_story *s = &o->stories[story];
    for (int i = s->first; i < s->first + s->n; i++)
        for (int k = s->first; k < s->first + s->n; k++)
            if (i != k)
                count_pair(&p[o->all[i].healthy], &o->all[i], &o->all[k], sign);
}

static void guess_other(double *p, const struct game *g)
{
    struct pairs pairs[2];
    memcpy(pairs, g->lore->pairs, sizeof pairs);
    for (int k = 0; k < g->hidden.n; k++)
        count_pairs(pairs, g->o, g->hidden.story[k], -1);
    const struct pairs *seen = &pairs[g->seen->healthy];
    int h = offers(g->at, g->seen->cause[g->seen->truth]);
    double again = share(seen->same, 1.0 / g->at->n);
    for (int k = 0; k < g->at->n; k++)
        p[k] = k == h ? again : (1 - again) / (g->at->n - 1);
    set_healthy(p, g, share(seen->healthy, often_healthy(g)));
}

/* ---- words ---- */

static void from_logarithms(double *p, int n)
{
    double most = p[0];
    for (int h = 1; h < n; h++)
        most = fmax(most, p[h]);
    for (int h = 0; h < n; h++)
        p[h] = exp(p[h] - most);
    normalise(p, n);
}

static void guess_by_words(double *p, const struct game *g)
{
    often_each(p, g);
    for (int h = 0; h < g->at->n; h++)
        p[h] = log(p[h]) + vocabulary_learnt(g->words, &g->hidden, g->at->story, g->at->cause[h],
                                             p[h]);
    from_logarithms(p, g->at->n);
}

static void guess_by_explanation(double *p, const struct game *g)
{
    for (int h = 0; h < g->at->n; h++)
        p[h] = vocabulary_explained(g->words, g->at->story, g->at->cause[h]);
    from_logarithms(p, g->at->n);
}

/* ---- the table ---- */

static const struct guesser guessers[] = {
    {"always", "always the same cause, sure of it", guess_always, .sure = true,
     .each_cause = true},
    {"frequency", "each cause as often as elsewhere", guess_by_sort, .sort = all_alike},
    {"healthy", "healthy as often as elsewhere", guess_healthy, .sort = all_alike},
    {"letter", "by the variant's letter", guess_by_sort, .sort = by_letter},
    {"last-letter", "healthy by being the last letter or not", guess_healthy, .sort = by_last},
    {"time", "healthy by the time beside a plain copy's", guess_by_time, .sort = NULL},
    {"time-cause", "each cause by the time beside a copy's", guess_by_sort, .sort = by_time},
    {"place", "by the place in the list of hypotheses", guess_by_place, .sort = NULL},
    {"level", "by level", guess_by_sort, .sort = by_level},
    {"kind", "by kind: kernel, pipeline, case", guess_by_sort, .sort = by_kind},
    {"hypotheses", "by the number of hypotheses", guess_by_sort, .sort = by_hypotheses},
    {"variants", "by the number of variants", guess_by_sort, .sort = by_letters},
    {"words", "by words learnt on other stories", guess_by_words, .sort = NULL},
    {"explanation", "by words of the hypotheses' explanations", guess_by_explanation, .sort = NULL},
    {"together", "letter, time and frequencies together", guess_together, .sort = by_last},
    {"another", "another variant of the story was seen", guess_other, .looked = true},
};

enum { GUESSERS = sizeof guessers / sizeof *guessers };

const struct guesser *guesser_table(int *n)
{
    if (n)
        *n = GUESSERS;
    return guessers;
}

/* ---- counting ---- */

struct lore *lore_new(const struct openings *o)
{
    struct lore *l = mem_new(1, sizeof *l);
    l->o = o;
    l->all = census_new(o, all_alike);
    l->sorted = mem_new(GUESSERS, sizeof(struct census *));
    for (int i = 0; i < GUESSERS; i++)
        l->sorted[i] = guessers[i].sort ? census_new(o, guessers[i].sort) : NULL;
    for (int i = 0; i < o->n; i++)
        count_places(l->places, &o->all[i], 1);
    for (int s = 0; s < o->n_stories; s++)
        count_pairs(l->pairs, o, s, 1);
    sort_timed(l);
    find_limits(l);
    return l;
}

void lore_free(struct lore *l)
{
    if (!l)
        return;
    census_free(l->all);
    for (int i = 0; i < GUESSERS; i++)
        census_free(l->sorted[i]);
    free(l->sorted);
    free(l->timed);
    free(l->limit);
    free(l);
}
