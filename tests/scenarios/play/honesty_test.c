/* Nobody can expect more than by saying what they believe: random scenarios, readings, purchases
 * and pushbacks, played through the investigation and scored by the debrief. Beliefs are whole
 * points, as they are said; the expectation over the truth is an exact sum. */
#include <math.h>

#include "tests/scenarios/toy.h"
#include "tests/unit.h"

enum { READINGS = 8, ROUNDS = 300, BENDS = 40 };

static const char *const shop[] = {"timing", "resources", "memory", "stalls", "other-sizes",
                                   "source"};
enum { SHOP = sizeof shop / sizeof *shop };

static uint64_t state_of_random = 2026;
static double uniform(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_random >> 11) / 9007199254740992.0;
}
static int below(int n)
{
    return (int)(uniform() * n);
}

/* ---- a random problem ---- */

/* Where the honest person's opening beliefs come from: not said; said, with the symptom in them;
 * said before anything was made of the symptom. */
enum opening { UNSAID, AFTER_SYMPTOM, BEFORE_SYMPTOM, OPENINGS };

struct report { int opening[MAX_HYPOTHESES], locked[MAX_HYPOTHESES], last[MAX_HYPOTHESES]; };

struct problem {
    struct toy *t;
    int k, pushback, order[SHOP], n_bought;
    enum opening opening;
    struct report honest;
    double chance[MAX_HYPOTHESES];   /* what the honest person believes in the end */
};

static void random_words(unsigned *says, int k)
{
    for (int w = 0; w < WORD_COUNT; w++)
        says[w] = (unsigned)below(1 << k) & (unsigned)below(1 << k);
}

static void random_points(int *points, int k)
{
    double weights[MAX_HYPOTHESES];
    for (int h = 0; h < k; h++)
        weights[h] = pow(uniform() + 1e-6, 1 + 4 * uniform());
    belief_round(points, weights, k, 1);
}

/* Likelihoods of the symptom, all purchases and the pushback; or of the symptom alone. */
static void likelihood_of(const struct problem *p, int n_bought, bool pushed, double *likelihood)
{
    struct evidence *bought[SHOP];
    bool flags[READINGS];
    double push[MAX_HYPOTHESES];
    struct toy *t = p->t;
    struct scope s = {.story = &t->story,
                      .device = &t->device,
                      .bought = bought,
                      .n_bought = n_bought};
    for (int b = 0; b < n_bought; b++)
        bought[b] = toy_evidence(shop[p->order[b]]);
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    ideal_likelihood(&t->variant, flags, likelihood);
    s.all = t->all;
    ideal_pushback(&t->variant, flags, &t->pushbacks[p->pushback], &s, push);
    for (int h = 0; pushed && h < p->k; h++)
        likelihood[h] *= push[h];
    for (int b = 0; b < n_bought; b++)
        evidence_free(bought[b]);
}

static void believe_honestly(const struct problem *p, bool pushed, double *out)
{
    double prior[MAX_HYPOTHESES], known[MAX_HYPOTHESES], symptom[MAX_HYPOTHESES];
    likelihood_of(p, p->n_bought, pushed, known);
    likelihood_of(p, 0, false, symptom);
    for (int h = 0; h < p->k; h++) {
        prior[h] = p->opening == UNSAID ? 1.0 / p->k : p->honest.opening[h] / 100.0;
        known[h] /= p->opening == AFTER_SYMPTOM ? symptom[h] : 1;
    }
    score_posterior(out, prior, known, p->k);
}

static void problem_make(struct problem *p)
{
    struct toy *t = toy_new();
    *p = (struct problem){.t = t,
                          .k = 2 + below(MAX_HYPOTHESES - 1),
                          .pushback = below(3),
                          .n_bought = 1 + below(SHOP),
                          .opening = (enum opening)below(OPENINGS)};
    t->story.n_hypotheses = p->k;
    for (int h = TOY_K; h < p->k; h++)
        t->story.hypotheses[h] = t->story.hypotheses[0];
    for (int r = 0; r < READINGS; r++)
        random_words(t->readings[r].says, p->k);
    random_words(t->pushbacks[1].bears, p->k);
    for (int b = 0; b < SHOP; b++)
        p->order[b] = b;
    for (int b = SHOP - 1; b > 0; b--) {
        int other = below(b + 1), kept = p->order[b];
        p->order[b] = p->order[other], p->order[other] = kept;
    }
    belief_even(p->honest.opening, p->k);
    if (p->opening != UNSAID)
        random_points(p->honest.opening, p->k);
    double locked[MAX_HYPOTHESES];
    believe_honestly(p, false, locked);
    believe_honestly(p, true, p->chance);
    belief_round(p->honest.locked, locked, p->k, 0);
    belief_round(p->honest.last, p->chance, p->k, 0);
}

/* ---- playing it ---- */

static void say(struct investigation *i, enum move_kind kind, const int *points)
{
    struct move m = {.kind = kind};
    memcpy(m.points, points, sizeof m.points);
    assert_int_equal(toy_move(i, m, NULL), 0);
}

/* `fidget`: beliefs are moved between purchases too, any way. */
static struct investigation *play(const struct problem *p, const struct report *r, bool fidget)
{
    struct investigation *i = investigation_new(&p->t->variant);
    int any[MAX_HYPOTHESES] = {0};
    for (int b = 0; b <= p->n_bought; b++) {
        for (int n = fidget ? below(3) : 0; n > 0; n--) {
            random_points(any, p->k);
            say(i, MOVE_BELIEVED, any);
        }
        if (b == 0)
            say(i, MOVE_BELIEVED, r->opening);
        if (b == p->n_bought)
            say(i, MOVE_BELIEVED, r->locked);
        else
            assert_int_equal(toy_buy(i, shop[p->order[b]]), 0);
    }
    assert_int_equal(toy_commit(i, 6, "tile"), 0);
    assert_int_equal(toy_push(i, p->pushback), 0);
    say(i, MOVE_RESPONDED, r->last);
    return i;
}

static struct score score_of(const struct problem *p, const struct report *r, bool fidget)
{
    struct score score;
    struct investigation *i = play(p, r, fidget);
    assert_int_equal(debrief_score(&score, i, &p->t->device, p->t->all, NULL), 0);
    investigation_free(i);
    return score;
}

/* Cause, evidence and updating, in expectation over the truth. The other lines know no belief. */
static double expected(const struct problem *p, const struct report *r)
{
    double sum = 0;
    for (int truth = 0; truth < p->k; truth++) {
        p->t->variant.cause = truth;
        struct score s = score_of(p, r, false);
        sum += p->chance[truth] *
               (s.line[LINE_CAUSE] + s.line[LINE_EVIDENCE] + s.line[LINE_UPDATING]);
    }
    return sum;
}

/* Something else is said: noise, sharper, flatter, all on one, even, or one point moved. */
static void bend(int *points, int k, int how)
{
    double weights[MAX_HYPOTHESES], power = how == 1 ? 1 + 3 * uniform() : uniform();
    int from = below(k), to = below(k);
    for (int h = 0; h < k; h++)
        weights[h] = how == 3 ? (h == to) + 1e-9 : how == 4 ? 1 : pow(points[h] + 0.01, power);
    if (how == 0)
        random_points(points, k);
    else if (how < 5)
        belief_round(points, weights, k, 0);
    else if (points[from] > 0) {
        points[from]--;
        points[to]++;
    }
}

/* Any of the three reports alone, or all of them. */
static void honesty_pays(void **state)
{
    double worst = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        struct problem p;
        problem_make(&p);
        double best = expected(&p, &p.honest);
        assert_float_equal(score_of(&p, &p.honest, false).line[LINE_UPDATING], 10, 1e-9);
        for (int b = 0; b < BENDS; b++) {
            struct report other = p.honest;
            int which = b % 4;
            if (which == 0 || which == 3)
                bend(other.opening, p.k, below(6));
            if (which == 1 || which == 3)
                bend(other.locked, p.k, below(6));
            if (which >= 2)
                bend(other.last, p.k, below(6));
            worst = fmin(worst, best - expected(&p, &other));
        }
        toy_free(p.t);
    }
    if (worst < -1e-9)
        fail_msg("a dishonest report expects %g points more than the honest one", -worst);
}

/* Keys can say nothing below 1 %: that costs no point of updating. */
static void the_floor_of_keys_costs_nothing(void **state)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct problem p;
        double locked[MAX_HYPOTHESES];
        problem_make(&p);
        believe_honestly(&p, false, locked);
        struct report keys = p.honest;
        belief_round(keys.locked, locked, p.k, 1);
        belief_round(keys.last, p.chance, p.k, 1);
        assert_float_equal(score_of(&p, &keys, false).line[LINE_UPDATING], 10, 1e-9);
        toy_free(p.t);
    }
}

/* Only the opening, the commitment and the answer are looked at. */
static void when_keys_were_pressed_never_matters(void **state)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct problem p;
        problem_make(&p);
        struct report r;
        random_points(r.opening, p.k);
        random_points(r.locked, p.k);
        random_points(r.last, p.k);
        struct score still = score_of(&p, &r, false);
        for (int n = 0; n < 5; n++) {
            struct score moved = score_of(&p, &r, true);
            assert_memory_equal(&moved, &still, sizeof still);
        }
        toy_free(p.t);
    }
}

/* Whoever buys nothing has tested nothing: a guess earns neither line, right or wrong, and
 * questions or what was handed out are no purchase. */
static void nothing_bought_is_nothing_tested(void **state)
{
    for (int handed = 0; handed < 2; handed++) {
        struct toy *t = toy_new();
        struct investigation *i = investigation_new(&t->variant);
        struct debrief d;
        struct move gift = {.kind = MOVE_HANDED,
                            .probe = "memory",
                            .evidence = handed ? toy_evidence("memory") : NULL};
        for (int q = 0; q < 4; q++)
            toy_move(i, (struct move){.kind = MOVE_ASKED, .question = q}, NULL);
        if (handed)
            assert_int_equal(toy_move(i, gift, NULL), 0);
        toy_believe(i, MOVE_BELIEVED, 97, 1, 1, 1);
        toy_commit(i, 6, "tile");
        toy_buy(i, "source");             /* free once the beliefs are locked */
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, 97, 1, 1, 1);
        assert_int_equal(debrief_make(&d, i, &t->device, t->all, NULL), 0);
        assert_true(d.score.line[LINE_EVIDENCE] == 0 && d.score.line[LINE_UPDATING] == 0);
        assert_true(d.score.line[LINE_CAUSE] > 39);
        assert_string_equal(d.why[LINE_EVIDENCE], "nothing was tested");
        assert_string_equal(d.why[LINE_UPDATING], "nothing was tested");
        assert_string_equal(d.astray, "");
        investigation_free(i);
        toy_free(t);
    }
}

/* The symptom that was on the screen and is bought again is no news, and a person who is where all
 * of it leads has followed it, whenever they moved. */
static void the_symptom_counts_once(void **state)
{
    struct toy *t = toy_new();
    struct score s;
    t->readings[0].says[WORD_RULES_OUT] = 0;
    t->readings[0].says[WORD_SETTLES] = 1u << TOY_LIMIT;
    static const struct {
        int opening[MAX_HYPOTHESES], locked[MAX_HYPOTHESES];
        double points;
    } rows[] = {
        {{25, 25, 25, 25}, {2, 2, 2, 94}, 10},  /* nothing said before t: from even */
        {{10, 10, 10, 70}, {10, 10, 10, 70}, 10},  /* had read the symptom: t repeats it */
        {{40, 20, 20, 20}, {3, 2, 2, 93}, 10},     /* had made nothing of it: t says it */
        {{40, 20, 20, 20}, {97, 1, 1, 1}, 0},      /* and this is where neither leads */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct investigation *i = investigation_new(&t->variant);
        say(i, MOVE_BELIEVED, rows[k].opening);
        toy_buy(i, "timing");
        say(i, MOVE_BELIEVED, rows[k].locked);
        toy_commit(i, 6, "tile");
        toy_push(i, 0);
        say(i, MOVE_RESPONDED, rows[k].locked);
        assert_int_equal(debrief_score(&s, i, &t->device, t->all, NULL), 0);
        assert_float_equal(s.line[LINE_UPDATING], rows[k].points, 1e-9);
        investigation_free(i);
    }
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honesty_pays),
        cmocka_unit_test(the_floor_of_keys_costs_nothing),
        cmocka_unit_test(when_keys_were_pressed_never_matters),
        cmocka_unit_test(nothing_bought_is_nothing_tested),
        cmocka_unit_test(the_symptom_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
