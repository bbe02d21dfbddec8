/* Who would earn what: simulated players go through the investigation and the debrief's own score,
 * on each recording.
 *
 * The right one buys the cheapest sufficient evidence, believes what it says, estimates rightly,
 * and names line and remedy. A wrong one does all that and ends certain of a rival. A guesser buys
 * nothing. What a guesser keeps by the rules of the score is "nowhere" of a healthy pair; beside
 * that, guesses without a thought may earn half of the estimates. */
#include "scenarios/check/checks.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_bought.h"
#include "scenarios/play/debrief.h"
#include "scenarios/evidence/request.h"

static const double ENOUGH = 0.90;     /* belief of the right player */
static const double GOOD = 85;         /* what the right player must reach */
static const double MARGIN = 20;       /* by which certainty of a rival must be worse */
static const double PUSHED =
    60; /* a correction is evidence for nothing: by how much it may help, when the seed draws it */

enum {
    TYPED = 64,
    MOST_ESTIMATES = 8,
    FOLLOWS = -1 /* believes what the evidence says */,
    STAYS = -2 /* even from beginning to end */
};

struct player {
    const char *probe[9]; int n;       /* bought, in this order */
    int certain; /* ends certain of this hypothesis; or one of the two below */
    const char (*typed)[TYPED];        /* for each estimate of the story; "" skips it */
    int line, remedy;                  /* remedy -1: none */
    int pushback;                      /* which one meets this player; -1: the variant has none */
};

/* ---- playing ---- */

struct play {
    const struct bought *b;
    struct investigation *i;
    struct evidence *list[MOST_BOUGHT];
    struct scope scope;                /* what was bought so far */
    bool *holds;
};

static void make(struct play *p, struct move m)
{
    struct err err = {0};
    int rc = investigation_apply(p->i, &m, &err);
    assert(rc == 0);
    (void)rc;
}

static void points_certain(int *points, int k, int of)
{
    for (int h = 0; h < k; h++)
        points[h] = h == of ? 100 - (k - 1) : 1;
}

/* What an even reader believes after the symptom, these purchases and, when not NULL, this
 * pushback. */
static void points_ideal(struct play *p, const struct pushback *push, int *points)
{
    const struct variant *v = p->b->v;
    double likelihood[MAX_HYPOTHESES], news[MAX_HYPOTHESES];
    int k = v->story->n_hypotheses;
    struct scope seen = p->scope;
    seen.all = NULL;
    ideal_flags_shown(v, &seen, p->b->all, p->holds);
    ideal_likelihood(v, p->holds, likelihood);
    if (push)
        ideal_pushback(v, p->holds, push, &p->scope, news);
    for (int h = 0; push && h < k; h++)
        likelihood[h] *= news[h];
    belief_round(points, likelihood, k, 0);
}

static void believe(struct play *p, enum move_kind kind, const struct player *who, bool last,
                    const struct pushback *push)
{
    struct move m = {.kind = kind};
    if (last && who->certain >= 0)
        points_certain(m.points, p->b->v->story->n_hypotheses, who->certain);
    else if (who->certain == STAYS)
        belief_even(m.points, p->b->v->story->n_hypotheses);
    else
        points_ideal(p, push, m.points);
    make(p, m);
}

static struct evidence *find_bought(const struct bought *b, const char *probe)
{
    for (int k = 0; k < b->scope.n_bought; k++)
        if (!strcmp(b->list[k]->probe, probe))
            return b->list[k];
    return NULL;
}

static void buy(struct play *p, const char *probe)
{
    struct evidence *e = find_bought(p->b, probe);
    struct move m = {.kind = MOVE_BOUGHT, .evidence = e ? evidence_copy(e) : NULL};
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    make(p, m);
    if (e)
        p->list[p->scope.n_bought++] = e;
}

/* Those across GPUs come after the commitment. */
static void estimate(struct play *p, const struct player *who, bool across)
{
    const struct story *s = p->b->v->story;
    for (int e = 0; e < investigation_estimates(p->i); e++) {
        struct move m = {.kind = MOVE_ESTIMATED};
        if (s->estimates[e].across != across)
            continue;
        snprintf(m.item, sizeof m.item, "%s", s->estimates[e].id);
        snprintf(m.answer, sizeof m.answer, "%s", who->typed[e]);
        make(p, m);
    }
}

static void commit(struct play *p, const struct player *who)
{
    const struct variant *v = p->b->v;
    struct move m = {.kind = MOVE_COMMITTED, .line = who->line};
    if (who->remedy >= 0)
        snprintf(m.remedy, sizeof m.remedy, "%s", v->story->remedies[who->remedy].id);
    if (story_asks_left(v->story))
        snprintf(m.then, sizeof m.then, "%s", v->story->hypotheses[variant_left(v)]->id);
    make(p, m);
    estimate(p, who, true);
    if (who->pushback < 0)
        return;
    make(p, (struct move){.kind = MOVE_PUSHED, .pushback = who->pushback});
    believe(p, MOVE_RESPONDED, who, true, &v->pushbacks[who->pushback]);
}

static double play(const struct bought *b, const struct player *who)
{
    struct play p = {.b = b,
                     .i = investigation_new(b->v),
                     .holds = mem_new((size_t)b->v->n_readings, sizeof *p.holds)};
    struct score score = {0};
    p.scope = (struct scope){.story = b->v->story,
                             .device = &b->r->device,
                             .bought = p.list,
                             .all = b->all};
    make(&p, (struct move){.kind = MOVE_STARTED,
                           .tier = "recorded",
                           .other = other_gpu_copy(b->other)});
    estimate(&p, who, false);
    believe(&p, MOVE_BELIEVED, who, who->n == 0, NULL);
    for (int k = 0; k < who->n; k++) {
        buy(&p, who->probe[k]);
        believe(&p, MOVE_BELIEVED, who, k == who->n - 1, NULL);
    }
    commit(&p, who);
    debrief_score(&score, p.i, &b->r->device, b->all, NULL);
    investigation_free(p.i);
    free(p.holds);
    return score.total;
}

/* ---- estimates as they are typed ---- */

static double value_in(const struct bought *b, const struct formula *f, struct dim dim)
{
    struct quantity q;
    struct scope scope = b->scope;
    if (!f || formula_eval(f, scope_lookup, &scope, &q, NULL, NULL))
        return NAN;
    return dim_equal(q.dim, dim) || dim_equal(q.dim, DIM_NONE) ? q.value : NAN;
}

static void type(char typed[TYPED], double value, struct dim dim)
{
    char unit[32];
    dim_unit(unit, sizeof unit, dim);
    typed[0] = '\0';
    if (value > 0 && isfinite(value))
        snprintf(typed, TYPED, "%.9g %s", value, strcmp(unit, "1") ? unit : "");
}

static const struct truth *truth_of(const struct variant *v, const struct estimate *e)
{
    for (int t = 0; t < v->n_truths; t++)
        if (v->truths[t].estimate == e)
            return &v->truths[t];
    return NULL;
}

/* The time, and what is counted from the sizes; guess_symptoms, guess_rate and guess_copy have
 * the rest. */
static const char *const guesses[] = {"suspect.time",
                                      "work.bytes",
                                      "work.flops",
                                      "work.bytes / suspect.time",
                                      "work.flops / suspect.time",
                                      "1"};

/* An estimate on its way from the screen into the field: the nearest so far of what has its unit.
 */
struct typing { char *typed; const struct estimate *e; const struct truth *t; double truth, best; };

static void try_guess(struct typing *y, struct quantity q)
{
    double worth =
        dim_equal(q.dim, y->e->dim) ? score_estimate(q.value, y->truth, y->t->within) : -1;
    if (worth > y->best) {
        y->best = worth;
        type(y->typed, q.value, y->e->dim);
    }
}

static void guess_formula(struct typing *y, const struct bought *b, const char *text)
{
    struct formula *f = NULL;
    struct quantity q = {0};
    struct scope scope = b->scope;
    if (formula_parse(&f, text, NULL, NULL) == 0 &&
        formula_eval(f, scope_lookup, &scope, &q, NULL, NULL) == 0)
        try_guess(y, q);
    formula_free(f);
}

/* What a case shows for nothing. */
static void guess_symptoms(struct typing *y, const struct story *s)
{
    struct quantity q;
    for (int i = 0; i < s->n_symptoms; i++)
        if (!size_constant(s, &s->symptoms[i].value, &q, NULL))
            try_guess(y, q);
}

/* What users see of the suspect's time, beside it. */
static void guess_rate(struct typing *y, const struct bought *b)
{
    struct scope scope = b->scope;
    struct quantity time;
    double yield = request_step_size(b->v->story, &b->r->device, NULL, 0).yield;
    if (yield > 0 && !scope_lookup(&scope, "suspect.time", &time, NULL) && time.value > 0)
        try_guess(y, (struct quantity){yield / time.value, DIM_HERTZ});
}

/* A warm-up shows what a plain copy takes. */
static void guess_copy(struct typing *y, const struct bought *b)
{
    if (b->v->story->level > 0)
        return;
    guess_formula(y, b, "work.bytes / ceiling.copy");
    guess_formula(y, b, "ceiling.copy");
}

/* The best that is typed without a thought: the nearest of the guesses that have the unit. */
static void guess(char typed[TYPED], const struct bought *b, const struct estimate *e)
{
    const struct truth *t = truth_of(b->v, e);
    struct typing y = {.typed = typed,
                       .e = e,
                       .t = t,
                       .truth = t ? value_in(b, t->truth.f, e->dim) : NAN,
                       .best = -1};
    typed[0] = '\0';
    for (size_t g = 0; t && g < sizeof guesses / sizeof *guesses; g++)
        guess_formula(&y, b, guesses[g]);
    if (!t)
        return;
    guess_symptoms(&y, b->v->story);
    guess_rate(&y, b);
    guess_copy(&y, b);
}

/* ---- the players ---- */

struct simulation {
    struct findings *f;
    const struct bought *b;
    char right[MOST_ESTIMATES][TYPED], guessed[MOST_ESTIMATES][TYPED];
    struct path path;
};

static void find(const struct simulation *s, const char *rule, const char *key, const char *text)
{
    findings_add(s->f, rule, s->b->v->story->pack, s->b->v->full_id, s->b->r->device.slug,
                 place_answer(s->b->v, key, NULL), "%s", text);
}

static bool is_checking(const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    return !strcmp(probe, "verify") || (x && x->shop == SHOP_VERIFY);
}

static int first_remedy(const struct variant *v)
{
    int r = 0;
    while (r < v->story->n_remedies && !(v->remedies & 1u << r))
        r++;
    return r < v->story->n_remedies ? r : -1;
}

/* In a wrong pair estimates count once the result was checked, so the right player checks it. */
static struct player right_player(const struct simulation *s)
{
    const struct variant *v = s->b->v;
    struct player who = {.certain = FOLLOWS,
                         .typed = s->right,
                         .line = v->location_line,
                         .remedy = first_remedy(v),
                         .pushback = -1};
    bool checks = v->pair != PAIR_WRONG || v->story->n_estimates == 0;
    for (int k = 0; k < s->path.n; k++) {
        who.probe[who.n++] = s->path.probe[k];
        checks = checks || is_checking(v->story, s->path.probe[k]);
    }
    if (!checks)
        who.probe[who.n++] = "verify";
    return who;
}

static int least_pushback(const struct variant *v)
{
    return v->n_pushbacks ? 0 : -1;
}

/* By how much a player who ends certain of rival h falls behind, at the least; the right one's own
 * worst score in *right. */
static void check_right(const struct simulation *s)
{
    const struct variant *v = s->b->v;
    char text[512];
    double least = INFINITY, lead[MAX_HYPOTHESES];
    for (int h = 0; h < v->story->n_hypotheses; h++)
        lead[h] = INFINITY;
    for (int push = least_pushback(v); push < v->n_pushbacks; push++) {
        struct player who = right_player(s);
        who.pushback = push;
        double right = play(s->b, &who);
        least = fmin(least, right);
        for (who.certain = 0; who.certain < v->story->n_hypotheses; who.certain++)
            if (who.certain != v->cause)
                lead[who.certain] = fmin(lead[who.certain], right - play(s->b, &who));
    }
    snprintf(text, sizeof text,
             "the right player, who buys the cheapest evidence that suffices and answers "
             "everything rightly, gets %.0f points; %.0f or more were expected",
             least, GOOD);
    if (least < GOOD && s->path.belief >= ENOUGH)     /* else rule `ideal` says why */
        find(s, "score-win", "readings", text);
    for (int h = 0; h < v->story->n_hypotheses; h++) {
        snprintf(text, sizeof text,
                 "who ends certain of %s, and is right otherwise, gets %.0f points less than who "
                 "follows the evidence; %.0f or more were expected",
                 v->story->hypotheses[h]->label, lead[h], MARGIN);
        if (h != v->cause && lead[h] < MARGIN)
            find(s, "score-wrong", "readings", text);
    }
}

/* The points that the rules of the score give for nothing, of 100. */
static double given_away(const struct bought *b)
{
    const struct variant *v = b->v;
    bool asks = v->story->n_estimates > 0 && (b->other || !v->story->estimates[0].across);
    double estimates = score_line_possible(LINE_ESTIMATES),
           location = score_line_possible(LINE_LOCATION);
    double given = (asks ? estimates / 2 : 0) + (v->location_line ? 0 : location);
    return ceil(given * 100 / (asks ? 100 : 100 - estimates));
}

/* One who buys nothing: the mean over the pushbacks, or over them and every hypothesis to be
 * certain of. */
struct guesses { double still, follows, certain; };

static struct guesses play_guessers(const struct simulation *s)
{
    const struct variant *v = s->b->v;
    struct guesses g = {0};
    int k = v->story->n_hypotheses, n = v->n_pushbacks ? v->n_pushbacks : 1;
    for (int push = least_pushback(v); push < v->n_pushbacks; push++) {
        struct player who = {.certain = STAYS, .typed = s->guessed, .remedy = -1, .pushback = push};
        g.still = fmax(g.still, play(s->b, &who));
        who.certain = FOLLOWS;
        g.follows += play(s->b, &who) / n;
        for (who.certain = 0; who.certain < k; who.certain++)
            g.certain += play(s->b, &who) / (k * n);
    }
    return g;
}

static void check_guess(const struct simulation *s, const char *key, const char *who, double points,
                        double bound)
{
    char text[512];
    snprintf(text, sizeof text,
             "who buys nothing, types what the opening shows and %s gets %.0f points; at most %.0f "
             "were expected",
             who, points, bound);
    if (points > bound)
        find(s, "score-guess", key, text);
}

static void check_guessers(const struct simulation *s)
{
    struct guesses g = play_guessers(s);
    double bound = given_away(s->b);
    check_guess(s, "estimates", "believes nothing", g.still, bound);
    check_guess(s, "estimates", "is certain of any hypothesis, on average", g.certain, bound);
    check_guess(s, "pushbacks", "lets the pushback decide, on average", g.follows, PUSHED);
}

static void simulate(void *ctx, const struct bought *b)
{
    struct simulation s = {.f = ctx, .b = b};
    const struct story *story = b->v->story;
    for (int e = 0; e < story->n_estimates && e < MOST_ESTIMATES; e++) {
        const struct truth *t = truth_of(b->v, &story->estimates[e]);
        type(s.right[e], t ? value_in(b, t->truth.f, story->estimates[e].dim) : NAN,
             story->estimates[e].dim);
        guess(s.guessed[e], b, &story->estimates[e]);
    }
    ideal_cheapest(b->v, &b->scope, ENOUGH, &s.path);
    check_right(&s);
    check_guessers(&s);
}

void check_score(struct findings *f, const struct variant *v)
{
    bought_each(f->shelf, v, simulate, f);
}
