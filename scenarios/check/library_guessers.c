/* The table stands at the end; each row's rule is a function above it. What they share: how often
 * a cause is true where it is on offer, and how often nothing is wrong, among openings that are
 * alike in something. */
#include "scenarios/check/library_guessers.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/wire/text.h"

static const double PRIOR = 2;            /* variants that are imagined beside those counted */

static bool is_known(const struct game *g, const struct opening *one)
{
    return !hidden_has(&g->hidden, one->story);
}

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

/* ---- how often ---- */

struct tally { double n, true_; };

static double share(struct tally t, double before)
{
    return (t.true_ + PRIOR * before) / (t.n + PRIOR);
}

static double all_alike(const struct opening *one)
{
    (void)one;
    return 0;
}

/* Of the known openings that offer the cause, those that are like this one. */
static struct tally count(const struct game *g, int cause, sort_fn *sort)
{
    struct tally t = {0};
    double alike = sort(g->at);
    for (int i = 0; i < g->o->n; i++) {
        const struct opening *one = &g->o->all[i];
        int h = is_known(g, one) && sort(one) == alike ? offers(one, cause) : -1;
        t.n += h >= 0;
        t.true_ += h >= 0 && h == one->truth;
    }
    return t;
}

static double often(const struct game *g, int cause)
{
    return share(count(g, cause, all_alike), 1.0 / g->at->n);
}

/* The same for every cause on offer, in one pass; t: zeros. */
static void count_each(struct tally *t, const struct game *g, sort_fn *sort)
{
    double alike = sort(g->at);
    for (int i = 0; i < g->o->n; i++) {
        const struct opening *one = &g->o->all[i];
        if (!is_known(g, one) || sort(one) != alike)
            continue;
        for (int k = 0; k < one->n; k++) {
            int h = offers(g->at, one->cause[k]);
            if (h < 0)
                continue;
            t[h].n++;
            t[h].true_ += k == one->truth;
        }
    }
}

static void often_each(double *p, const struct game *g)
{
    struct tally t[MAX_HYPOTHESES] = {{0}};
    count_each(t, g, all_alike);
    for (int h = 0; h < g->at->n; h++)
        p[h] = share(t[h], 1.0 / g->at->n);
}

/* Each cause is as likely as it is often true among those of its sort. */
static void guess_by_sort(double *p, const struct game *g)
{
    struct tally t[MAX_HYPOTHESES] = {{0}};
    count_each(t, g, g->who->sort);
    often_each(p, g);
    for (int h = 0; h < g->at->n; h++)
        p[h] = share(t[h], p[h]);
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

static double healthy_of_sort(const struct game *g, sort_fn *sort)
{
    int none = g->at->none;
    return none < 0 ? 0 : share(count(g, g->at->cause[none], sort), often_healthy(g));
}

static void guess_healthy(double *p, const struct game *g)
{
    even(p, g->at->n);
    set_healthy(p, g, healthy_of_sort(g, g->who->sort));
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

/* Healthy ones up to the limit, or beyond it. */
static struct tally count_side(const struct game *g, double limit, bool beyond, int last)
{
    struct tally t = {0};
    for (int i = 0; i < g->o->n; i++) {
        const struct opening *one = &g->o->all[i];
        if (!is_known(g, one) || !is_timed(one) || (one->over_copy > limit) != beyond ||
            (last >= 0 && by_last(one) != last))
            continue;
        t.n++;
        t.true_ += one->healthy;
    }
    return t;
}

/* How well a limit parts the healthy from the others: the squares that it takes away. */
static double parts(struct tally upto, struct tally all)
{
    struct tally beyond = {all.n - upto.n, all.true_ - upto.true_};
    double sum = upto.n > 0 ? upto.true_ * upto.true_ / upto.n : 0;
    return sum + (beyond.n > 0 ? beyond.true_ * beyond.true_ / beyond.n : 0);
}

static int by_over_copy(const void *a, const void *b)
{
    double x = (*(const struct opening *const *)a)->over_copy,
           y = (*(const struct opening *const *)b)->over_copy;
    return (x > y) - (x < y);
}

/* The known ones with a time, shortest first; [o->n], to be freed. */
static const struct opening **sort_timed(const struct game *g, int *n)
{
    const struct opening **timed = mem_new((size_t)g->o->n, sizeof *timed);
    *n = 0;
    for (int i = 0; i < g->o->n; i++)
        if (is_known(g, &g->o->all[i]) && is_timed(&g->o->all[i]))
            timed[(*n)++] = &g->o->all[i];
    qsort(timed, (size_t)*n, sizeof *timed, by_over_copy);
    return timed;
}

static double best_limit(const struct game *g)
{
    int n;
    const struct opening **timed = sort_timed(g, &n);
    struct tally all = {0}, upto = {0};
    double limit = 0, best = -1;
    for (int i = 0; i < n; i++)
        all = (struct tally){all.n + 1, all.true_ + timed[i]->healthy};
    for (int i = 0; i < n; i++) {
        upto = (struct tally){upto.n + 1, upto.true_ + timed[i]->healthy};
        bool last = i + 1 == n || timed[i + 1]->over_copy > timed[i]->over_copy;
        if (last && parts(upto, all) > best) {
            best = parts(upto, all);
            limit = timed[i]->over_copy;
        }
    }
    free(timed);
    return limit;
}

/* last: 0 or 1 among openings of such letters alone, -1 among all. */
static double healthy_by_time(const struct game *g, int last)
{
    double limit = best_limit(g), before = often_healthy(g);
    if (!is_timed(g->at))
        return before;
    return share(count_side(g, limit, g->at->over_copy > limit, last), before);
}

static void guess_by_time(double *p, const struct game *g)
{
    even(p, g->at->n);
    set_healthy(p, g, healthy_by_time(g, -1));
}

/* Everything that helps: letter and time together, the rest as often as it is true elsewhere. */
static void guess_together(double *p, const struct game *g)
{
    often_each(p, g);
    normalise(p, g->at->n);
    set_healthy(p, g,
                is_timed(g->at) ? healthy_by_time(g, by_last(g->at) > 0)
                                : healthy_of_sort(g, by_last));
}

/* ---- the place in the list ---- */

enum { THIRDS = 3, PLACES /* none.at-limit is always last, and a place of its own */ };

static int place(const struct opening *one, int h)
{
    return h == one->none ? THIRDS : h * THIRDS / one->n;
}

static void count_places(struct tally *t, const struct opening *one)
{
    for (int h = 0; h < one->n; h++) {
        t[place(one, h)].n++;
        t[place(one, h)].true_ += h == one->truth;
    }
}

static void guess_by_place(double *p, const struct game *g)
{
    struct tally t[PLACES] = {{0}};
    for (int i = 0; i < g->o->n; i++)
        if (is_known(g, &g->o->all[i]))
            count_places(t, &g->o->all[i]);
    for (int h = 0; h < g->at->n; h++)
        p[h] = share(t[place(g->at, h)], 1.0 / g->at->n);
    normalise(p, g->at->n);
}

/* ---- after a first look ---- */

/* Of two variants of a known story, where the first is as healthy as the one that was seen. */
struct pairs { struct tally healthy, same; };

static void count_pairs(struct pairs *out, const struct game *g, const struct opening_story *s)
{
    for (int i = s->first; i < s->first + s->n; i++)
        for (int k = s->first; k < s->first + s->n; k++) {
            const struct opening *seen = &g->o->all[i], *next = &g->o->all[k];
            if (i == k || seen->healthy != g->seen->healthy)
                continue;
            out->healthy.n++;
            out->healthy.true_ += next->healthy;
            out->same.n++;
            out->same.true_ += next->cause[next->truth] == seen->cause[seen->truth];
        }
}

static void guess_other(double *p, const struct game *g)
{
    struct pairs seen = {0};
    for (int s = 0; s < g->o->n_stories; s++)
        if (!hidden_has(&g->hidden, s))
            count_pairs(&seen, g, &g->o->stories[s]);
    int h = offers(g->at, g->seen->cause[g->seen->truth]);
    double again = share(seen.same, 1.0 / g->at->n);
    for (int k = 0; k < g->at->n; k++)
        p[k] = k == h ? again : (1 - again) / (g->at->n - 1);
    set_healthy(p, g, share(seen.healthy, often_healthy(g)));
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
    {"together", "letter, time and frequencies together", guess_together, .sort = NULL},
    {"another", "another variant of the story was seen", guess_other, .looked = true},
};

const struct guesser *guesser_table(int *n)
{
    *n = sizeof guessers / sizeof *guessers;
    return guessers;
}
