#include "scenarios/play/ideal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"

#define MOST_CANDIDATES 16   /* probes and experiments with readings; 2^16 sets are searched */

/* ---- what readings say ---- */

static bool was_bought(const struct scope *scope, const char *probe)
{
    for (int b = 0; b < scope->n_bought; b++)
        if (strcmp(scope->bought[b]->probe, probe) == 0)
            return true;
    return false;
}

static bool holds(const struct reading *r, const struct scope *scope)
{
    struct scope own = *scope;
    if (story_experiment(own.story, r->probe))
        own.experiment = r->probe;
    return !r->expect.f || formula_holds(r->expect.f, scope_lookup, &own, NULL, NULL) == 1;
}

void ideal_flags(const struct variant *v, const struct scope *scope, bool *flags)
{
    for (int r = 0; r < v->n_readings; r++)
        flags[r] = was_bought(scope, v->readings[r].probe) && holds(&v->readings[r], scope);
}

/* The suspect's cold time at the story's own size; after a live reveal it may be known only in
 * turns with the fix. */
static const struct msg_part *own_time(const struct evidence *all)
{
    const struct msg_part *alone = evidence_alone(all, "a");
    for (int p = 0; !alone && p < all->n_parts; p++) {
        const struct msg_part *part = &all->parts[p];
        if (msg_part_time(part) && part->variant < 0 && strcmp(part->run, "a") == 0 &&
            !msg_part_note(part, "warm"))
            return part;
    }
    return alone;
}

static int is_copy(void *ctx, const char *name)
{
    (void)ctx;
    const char *dot = strrchr(name, '.');
    return strcmp(dot ? dot + 1 : name, "copy_fraction") == 0 || strcmp(name, "ceiling.copy") == 0;
}

/* The time of a plain copy is free in a warm-up alone: elsewhere a reading that compares with it
 * waits until its probe is bought. */
static void forget_copy(const struct variant *v, const struct scope *scope, bool *flags)
{
    for (int r = 0; r < v->n_readings && v->story->level > 0; r++) {
        const struct reading *x = &v->readings[r];
        if (flags[r] && x->expect.f && formula_names(x->expect.f, is_copy, NULL, NULL))
            flags[r] = was_bought(scope, x->probe) && holds(x, scope);
    }
}

/* What everybody is shown: the time, or how many times as fast, and no more of its part. That a
 * suspect fails is shown and not how. Shallow. */
static bool free_part(struct msg_part *out, const struct variant *v, const struct evidence *all)
{
    const struct msg_part *time = variant_fails(v) ? NULL : own_time(all);
    if (!time)
        return false;
    const struct msg_value *times = msg_part_value(time, "speed_up");
    *out = *time;
    out->metrics = (struct msg_value *)(uintptr_t)(times ? times : msg_part_time(time));
    out->n_metrics = 1;
    return true;
}

void ideal_flags_shown(const struct variant *v, const struct scope *scope,
                       const struct evidence *all, bool *flags)
{
    struct msg_part part = {0};
    if (!all || story_is_case(v->story) || !free_part(&part, v, all)) {
        ideal_flags(v, scope, flags);
        return;
    }
    struct evidence symptom = {.probe = "timing", .parts = &part, .n_parts = 1};
    struct scope own = *scope;
    struct evidence **list = mem_new((size_t)scope->n_bought + 1, sizeof *list);
    for (int b = 0; b < scope->n_bought; b++)
        list[b] = scope->bought[b];
    list[own.n_bought++] = &symptom;   /* last, so that a time that was bought comes before it */
    own.bought = list;
    ideal_flags(v, &own, flags);
    forget_copy(v, scope, flags);
    free(list);
}

/* One observation about one hypothesis, as the logarithm of its weight: the strongest of what was
 * said about it, 0 when two equally strong words contradict each other. */
static double stronger(double a, double b)
{
    if (fabs(fabs(a) - fabs(b)) < 1e-9)
        return a * b < 0 ? 0 : a;
    return fabs(a) > fabs(b) ? a : b;
}

static void say(double *log_weight, const unsigned *says, int k)
{
    for (int w = 0; w < WORD_COUNT; w++)
        for (int h = 0; h < k; h++)
            if (says[w] & 1u << h)
                log_weight[h] = stronger(log_weight[h], log(word_weight((enum word)w)));
}

static bool same_fact(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Readings and, when not NULL, a pushback's statement as one more observation of its fact. */
static void likelihood_of(const struct variant *v, const bool *flags, const struct pushback *push,
                          double *likelihood)
{
    int k = v->story->n_hypotheses;
    double total[MAX_HYPOTHESES] = {0};
    bool pushed = push == NULL;
    for (int r = 0; r < v->n_readings; r++) {
        double fact[MAX_HYPOTHESES] = {0};
        bool first = flags[r];
        for (int q = 0; first && q < r; q++)
            first = !(flags[q] && same_fact(v->readings[q].fact, v->readings[r].fact));
        if (!first)
            continue;
        say(fact, v->readings[r].says, k);
        for (int q = r + 1; q < v->n_readings; q++)
            if (flags[q] && same_fact(v->readings[q].fact, v->readings[r].fact))
                say(fact, v->readings[q].says, k);
        if (!pushed && same_fact(push->fact, v->readings[r].fact)) {
            say(fact, push->bears, k);
            pushed = true;
        }
        for (int h = 0; h < k; h++)
            total[h] += fact[h];
    }
    double alone[MAX_HYPOTHESES] = {0};
    if (!pushed)
        say(alone, push->bears, k);
    for (int h = 0; h < k; h++)
        likelihood[h] = exp(total[h] + alone[h]);
}

void ideal_likelihood(const struct variant *v, const bool *flags, double *likelihood)
{
    likelihood_of(v, flags, NULL, likelihood);
}

void ideal_pushback(const struct variant *v, const bool *flags, const struct pushback *push,
                    const struct scope *scope, double *likelihood)
{
    double old[MAX_HYPOTHESES];
    int k = v->story->n_hypotheses;
    for (int h = 0; h < k; h++)
        likelihood[h] = 1;
    if (push->kind != PUSH_CORRECTION)
        return;
    struct scope own = *scope;
    if (push->expect.f && formula_holds(push->expect.f, scope_lookup, &own, NULL, NULL) != 1)
        return;
    likelihood_of(v, flags, NULL, old);
    likelihood_of(v, flags, push, likelihood);
    for (int h = 0; h < k; h++)
        likelihood[h] /= old[h];
}

/* ---- the cheapest path ---- */

/* One thing that could be bought, with its evidence: the purchase itself, or the parts of `all`
 * that it would have shown. */
struct candidate { const char *probe; int price; struct evidence evidence; };

struct search {
    const struct variant *v;
    const struct scope *scope;
    struct candidate candidate[MOST_CANDIDATES];
    int n;
    bool *whole;        /* per reading: holds when everything was bought */
    unsigned *needs;    /* per reading: candidates that must be bought at least; 0: never */
    bool *tangled;      /* per reading: holds with everything, but not with its own probe alone */
};

/* The variants of an experiment's steps in "all" begin here. */
static int first_step(const struct story *s, const struct experiment *x)
{
    int first = 0;
    for (const struct experiment *y = s->experiments; y < x; y++)
        first += y->n_steps;
    return first;
}

/* The suspect's parts of `all` that belong to this probe; shallow copies, so only the array is
 * freed. */
void ideal_purchase(struct evidence *out, const struct story *s, const struct evidence *all,
                    const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    const struct probe *shop = probe_by_name(probe);
    const struct msg_part *alone = evidence_alone(all, "a");
    int first = x ? first_step(s, x) : 0;
    int wire = x ? (int)x->measure : shop ? story_measures(s, shop) : -1;
    *out = (struct evidence){0};
    snprintf(out->probe, sizeof out->probe, "%s", probe);
    out->parts = mem_new((size_t)all->n_parts, sizeof *out->parts);
    for (int p = 0; p < all->n_parts; p++) {
        const struct msg_part *part = &all->parts[p];
        bool mine =
            x ? part->variant >= first && part->variant < first + x->n_steps : part->variant < 0;
        bool beside = wire == PROBE_TIMING &&
                      ((!x && part->probe == PROBE_TIMELINE) || /* timing of a pipeline brings it */
                       part->probe == PROBE_OUTCOME);           /* of a suspect that fails */
        if (!mine || ((int)part->probe != wire && !beside) || strcmp(part->run, "a") != 0 ||
            (alone && evidence_in_turns(all, part)))
            continue;
        out->parts[out->n_parts] = *part;
        out->parts[out->n_parts++].variant -= x ? first : 0;
    }
}

static void add_candidate(struct search *s, const char *probe, const struct probe *shop)
{
    if (s->n == MOST_CANDIDATES || !variant_answers(s->v, probe))
        return;
    struct candidate *c = &s->candidate[s->n];
    *c = (struct candidate){.probe = probe, .price = variant_price(s->v, probe)};
    snprintf(c->evidence.probe, sizeof c->evidence.probe, "%s", probe);
    for (int b = 0; b < s->scope->n_bought; b++)
        if (strcmp(s->scope->bought[b]->probe, probe) == 0) {
            const struct evidence *e = s->scope->bought[b];
            c->evidence.parts = mem_new((size_t)e->n_parts, sizeof *e->parts);
            if (e->n_parts)
                memcpy(c->evidence.parts, e->parts, (size_t)e->n_parts * sizeof *e->parts);
            c->evidence.n_parts = e->n_parts;
            s->n++;
            return;
        }
    if (s->scope->all)
        ideal_purchase(&c->evidence, s->v->story, s->scope->all, probe);
    if (c->evidence.n_parts > 0 || shop->id == SHOP_SOURCE)
        s->n++;
    else
        free(c->evidence.parts);
}

static bool is_read(const struct variant *v, const char *probe)
{
    for (int r = 0; r < v->n_readings; r++)
        if (strcmp(v->readings[r].probe, probe) == 0)
            return true;
    return false;
}

/* Candidates in the order of the shop, experiments in the story's. */
static void find_candidates(struct search *s)
{
    size_t n;
    const struct probe *shop = probe_table(&n);
    for (size_t row = 0; row < n; row++) {
        if (is_read(s->v, shop[row].name))
            add_candidate(s, shop[row].name, &shop[row]);
        for (int x = 0; x < s->v->story->n_experiments; x++)
            if (s->v->story->experiments[x].shop == shop[row].id &&
                is_read(s->v, s->v->story->experiments[x].id))
                add_candidate(s, s->v->story->experiments[x].id, &shop[row]);
    }
}

/* The scope of somebody who bought this set; `list` has room for all candidates. */
static struct scope scope_of(const struct search *s, unsigned set, struct evidence **list)
{
    struct scope scope = *s->scope;
    scope.bought = list;
    scope.n_bought = 0;
    scope.all = NULL;
    for (int c = 0; c < s->n; c++)
        if (set & 1u << c)
            list[scope.n_bought++] = (struct evidence *)&s->candidate[c].evidence;
    return scope;
}

static void flags_of(const struct search *s, unsigned set, bool *flags)
{
    struct evidence *list[MOST_CANDIDATES];
    struct scope scope = scope_of(s, set, list);
    ideal_flags(s->v, &scope, flags);
}

/* Formulas are evaluated once for everything and once for each probe alone: a reading that holds
 * with its own probe alone holds with more evidence too, so that sets need no formulas but for the
 * few readings that take two purchases. */
static void prepare(struct search *s)
{
    int n = s->v->n_readings;
    s->whole = mem_new((size_t)n, sizeof *s->whole);
    s->tangled = mem_new((size_t)n, sizeof *s->tangled);
    s->needs = mem_new((size_t)n, sizeof *s->needs);
    bool *alone = mem_new((size_t)n, sizeof *alone);
    flags_of(s, (1u << s->n) - 1, s->whole);
    for (int c = 0; c < s->n; c++) {
        flags_of(s, 1u << c, alone);
        for (int r = 0; r < n; r++)
            if (s->whole[r] && strcmp(s->v->readings[r].probe, s->candidate[c].probe) == 0) {
                s->needs[r] = 1u << c;
                s->tangled[r] = !alone[r];
            }
    }
    free(alone);
}

static double belief_after(const struct search *s, unsigned set, bool *flags)
{
    double even[MAX_HYPOTHESES], likelihood[MAX_HYPOTHESES], posterior[MAX_HYPOTHESES];
    int k = s->v->story->n_hypotheses;
    struct evidence *list[MOST_CANDIDATES];
    struct scope scope = scope_of(s, set, list);
    for (int r = 0; r < s->v->n_readings; r++) {
        flags[r] = s->needs[r] && (set & s->needs[r]) == s->needs[r];
        if (flags[r] && s->tangled[r])
            flags[r] = holds(&s->v->readings[r], &scope);
    }
    ideal_likelihood(s->v, flags, likelihood);
    for (int h = 0; h < k; h++)
        even[h] = 1.0 / k;
    score_posterior(posterior, even, likelihood, k);
    return posterior[s->v->cause];
}

static int price_of(const struct search *s, unsigned set)
{
    int price = 0;
    for (int c = 0; c < s->n; c++)
        price += set & 1u << c ? s->candidate[c].price : 0;
    return price;
}

static int size_of(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* Cheaper, else fewer, else earlier in the shop (lower bits). */
static bool is_better(const struct search *s, unsigned a, unsigned b)
{
    int pa = price_of(s, a), pb = price_of(s, b), na = size_of(a), nb = size_of(b);
    if (pa != pb)
        return pa < pb;
    if (na != nb)
        return na < nb;
    unsigned differs =
        (a ^ b) & (0u - (a ^ b)); /* the first of the shop that only one of them has */
    return (a & differs) != 0;
}

static void write_path(const struct search *s, unsigned set, double belief, struct path *out)
{
    *out = (struct path){.price = price_of(s, set), .belief = belief};
    for (int c = 0; c < s->n && out->n < 8; c++)
        if (set & 1u << c)
            snprintf(out->probe[out->n++], sizeof out->probe[0], "%s", s->candidate[c].probe);
}

static int search_sets(const struct search *s, double enough, struct path *out)
{
    bool *flags = mem_new((size_t)s->v->n_readings, sizeof *flags);
    unsigned best = 0, reached = 0;
    double best_belief = -1, reached_belief = 0;
    bool found = false;
    for (unsigned set = 0; set < 1u << s->n; set++) {
        if (size_of(set) > 8 || (found && !is_better(s, set, reached)))
            continue;
        double belief = belief_after(s, set, flags);
        if (belief >= enough) {
            found = true;
            reached = set;
            reached_belief = belief;
        }
        bool as_good = fabs(belief - best_belief) < 1e-12;
        if (!found && (as_good ? is_better(s, set, best) : belief > best_belief)) {
            best = set;
            best_belief = belief;
        }
    }
    free(flags);
    write_path(s, found ? reached : best, found ? reached_belief : best_belief, out);
    return found ? 0 : ERR_MISSING;
}

int ideal_cheapest(const struct variant *v, const struct scope *all, double enough,
                   struct path *out)
{
    struct search s = {.v = v, .scope = all};
    find_candidates(&s);
    prepare(&s);
    int rc = search_sets(&s, enough, out);
    for (int c = 0; c < s.n; c++)
        free(s.candidate[c].evidence.parts);
    free(s.whole);
    free(s.needs);
    free(s.tangled);
    return rc;
}
