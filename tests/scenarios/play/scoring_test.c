/* The score: its worked example, and what it must reward. Random problems come from a seeded
 * generator; expectations over the truth are exact sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/play/investigation.h"
#include "scenarios/play/scoring.h"

#define K 10
#define STEPS 5

static uint64_t state_of_random = 12345;
static double uniform(void)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_random >> 11) / 9007199254740992.0;
}
static int below(int n)
{
    return (int)(uniform() * n);
}

static void normalise(double *p, int k)
{
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += p[i];
    for (int i = 0; i < k; i++)
        p[i] /= sum;
}

static void random_shares(double *p, int k)
{
    double sharpness = 1 + 4 * uniform();
    for (int i = 0; i < k; i++)
        p[i] = pow(uniform() + 1e-6, sharpness);
    normalise(p, k);
}

static void worked_example(void **state)
{
    (void)state;
    /* 82 % on the truth after the pushback, spread so that B = 0.039; the price 8, par 6, patience
     * 15 of level 1. */
    const double p[K] = {0.82, 0.06, 0.04, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    double q = score_quality(p, K, 0), e = score_thrift(8, 6, 15);
    double cause = 40 * q, evidence = 20 * e * q;
    double estimates = 10 * score_estimate(0.14e-3, 0.150e-3, 1.10) +
                       10 * 0.5 * score_estimate(268e6 * 2, 537e6, 1.10);
    double updating = 10 * 0.576;
    assert_float_equal(q, 0.957, 0.001);
    assert_float_equal(e, 0.778, 0.0005);
    assert_float_equal(cause, 38.3, 0.05);
    assert_float_equal(evidence, 14.9, 0.05);
    assert_float_equal(estimates, 15.0, 0.05);
    assert_float_equal(updating, 5.8, 0.05);
    /* The example adds the lines as it shows them, with one decimal; unrounded they sum to 83.93.
     */
    const double lines[] = {cause, evidence, estimates, updating, 5, 5};
    double total = 0;
    for (int l = 0; l < 6; l++)
        total += round(10 * lines[l]) / 10;
    assert_float_equal(total, 84.0, 1e-9);
    assert_float_equal(score_stakes(p, K, 0, 8, 6, 15), cause + evidence, 1e-12);
}

/* The stakes that the commitment screen shows, at the beliefs that it shows. */
static void worked_stakes(void **state)
{
    (void)state;
    const double p[K] = {0.38, 0.06, 0.06, 0.06, 0.06, 0.30, 0.02, 0.01, 0.03, 0.02};
    const double committed[K] = {0.86, 0.04, 0.03, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    assert_true(score_stakes(p, K, 0, 8, 6, 15) > score_stakes(p, K, 5, 8, 6, 15));
    assert_true(score_stakes(p, K, 5, 8, 6, 15) > score_stakes(p, K, 1, 8, 6, 15));
    assert_float_equal(score_stakes(committed, K, 0, 8, 6, 15), 54, 1.5);
    assert_float_equal(score_stakes(committed, K, 1, 8, 6, 15), -50, 5);
}

static void anchors(void **state)
{
    (void)state;
    for (int k = 2; k <= K; k++) {
        double even[K], certain[K] = {1};
        for (int i = 0; i < k; i++)
            even[i] = 1.0 / k;
        for (int truth = 0; truth < k; truth++) {
            assert_float_equal(score_quality(even, k, truth), 0, 1e-12);
            assert_float_equal(score_stakes(even, k, truth, 3, 6, 15), 0, 1e-12);
        }
        assert_float_equal(score_quality(certain, k, 0), 1, 1e-12);
        assert_true(score_quality(certain, k, 1) < -1 + 1e-12);
    }
    assert_float_equal(score_thrift(0, 6, 15), 1, 0);
    assert_float_equal(score_thrift(6, 6, 15), 1, 0);
    assert_float_equal(score_thrift(15, 6, 15), 0, 0);
    assert_float_equal(score_thrift(40, 6, 15), 0, 0);
    assert_float_equal(score_estimate(1.1, 1, 1), 1, 1e-9);
    assert_float_equal(score_estimate(3, 1, 1.1), 0, 1e-12);
    assert_float_equal(score_estimate(1 / sqrt(3.3), 1, 1.1), 0.5, 1e-12);
    assert_float_equal(score_estimate(1.5, 1, 1.5), 1, 1e-12);
    assert_true(score_estimate(3.5, 1, 2) > 0 && score_estimate(4, 1, 2) < 1e-12);
    assert_float_equal(score_estimate(-1, 1, 1.1) + score_estimate(1, 0, 1.1) +
                           score_estimate(NAN, 1, 1.1),
                       0, 0);
    int possible = 0;
    for (int l = 0; l < LINE_COUNT; l++)
        possible += score_line_possible((enum score_line_id)l);
    assert_int_equal(possible, 100);
    assert_float_equal(score_shown(-12), 0, 0);
    assert_float_equal(score_shown(83.6), 84, 0);
    assert_string_equal(score_line_name(LINE_REMEDY), "remedy");
}

static void updating_by_hand(void **state)
{
    (void)state;
    /* Asked: 0.5 to 0.8 (a move of 0.3), then to stay. Moved to 0.7, stayed: 1 - 0.1 / (0.3 +
     * 0.05). */
    const double beliefs[] = {0.5, 0.5, 0.7, 0.3, 0.7, 0.3}, ideal[] = {0.8, 0.2, 0.7, 0.3};
    assert_float_equal(score_updating(beliefs, ideal, 2, 2), 1 - 0.1 / 0.35, 1e-12);
    assert_float_equal(score_updating(beliefs, ideal, 0, 2), 1, 0);
    const double away[] = {0.5, 0.5, 0.1, 0.9};
    assert_float_equal(score_updating(away, ideal, 1, 2), 0, 0);
    const double prior[] = {0.5, 0.25, 0.25}, words[] = {4, 1, 0.25};
    double out[3];
    score_posterior(out, prior, words, 3);
    assert_float_equal(out[0], 2 / 2.3125, 1e-12);
    const double nothing[] = {0, 0, 0};
    score_posterior(out, prior, nothing, 3);
    assert_float_equal(out[0], 0.5, 0);
}

/* ---- honesty ---- */

struct problem { int k, n; double news[STEPS][K], paid, par, patience; };

static void random_problem(struct problem *p)
{
    static const double words[] = {0.02, 0.25, 1, 1, 1, 4, 50};
    *p = (struct problem){.k = 2 + below(K - 1),
                          .n = 1 + below(STEPS),
                          .paid = below(20),
                          .par = 6,
                          .patience = 15};
    for (int s = 0; s < p->n; s++)
        for (int i = 0; i < p->k; i++)
            p->news[s][i] = words[below(7)];
}

/* Cause, evidence and updating of a whole path of reports, in expectation over the truth. */
static double expected(const struct problem *p, double (*report)[K], const double *chance)
{
    double beliefs[(STEPS + 1) * K], ideal[STEPS * K], sum = 0;
    for (int s = 0; s <= p->n; s++)
        memcpy(beliefs + s * p->k, report[s], (size_t)p->k * sizeof(double));
    for (int s = 0; s < p->n; s++)
        score_posterior(ideal + s * p->k, report[s], p->news[s], p->k);
    for (int truth = 0; truth < p->k; truth++)
        sum +=
            chance[truth] * score_stakes(report[p->n], p->k, truth, p->paid, p->par, p->patience);
    return sum + 10 * score_updating(beliefs, ideal, p->n, p->k);
}

static void honest_path(const struct problem *p, double (*report)[K])
{
    random_shares(report[0], p->k);
    for (int s = 0; s < p->n; s++)
        score_posterior(report[s + 1], report[s], p->news[s], p->k);
}

/* Ways to report something else: one step or all of them; mixed with noise, sharpened, flattened,
 * all on one, even. */
static void bend(double *p, int k, int how)
{
    double noise[K], weight = uniform();
    random_shares(noise, k);
    int top = below(k);
    for (int i = 0; i < k; i++)
        p[i] = how == 0   ? (1 - weight) * p[i] + weight * noise[i]
               : how == 1 ? pow(p[i] + 1e-12, 1 + 3 * weight)
               : how == 2 ? pow(p[i] + 1e-12, weight)
               : how == 3 ? (i == top) + 1e-9
               : how == 4 ? 1
                          : p[i] * (1 + 1e-3 * (noise[i] - 0.5));
    normalise(p, k);
}

static void honesty_pays(void **state)
{
    (void)state;
    double worst = INFINITY;
    for (int round = 0; round < 3000; round++) {
        struct problem p;
        double honest[STEPS + 1][K], other[STEPS + 1][K];
        random_problem(&p);
        honest_path(&p, honest);
        const double *chance = honest[p.n];
        double best = expected(&p, honest, chance);
        for (int t = 0; t < 60; t++) {
            memcpy(other, honest, sizeof other);
            int scope = below(3), first = scope == 0 ? p.n : scope == 1 ? below(p.n + 1) : 0;
            int last = scope == 1 ? first : p.n;
            for (int s = first; s <= last; s++)
                bend(other[s], p.k, t % 6);
            /* Consistent with an invented prior: perfect updating, another end. */
            for (int s = 0; t % 7 == 0 && s < p.n; s++)
                score_posterior(other[s + 1], other[s], p.news[s], p.k);
            worst = fmin(worst, best - expected(&p, other, chance));
        }
    }
    if (worst < -1e-9)
        fail_msg("a dishonest report expects %g more than the honest one", -worst);
}

/* Whole points, none below 1, are what the keys can say. Where next to nothing had to move, one
 * point is a fifth of the least move (0.05), so a report one point beside the rounded honest one
 * may gain up to 10 x 0.01 / 0.05 = 2 points of updating, never more. */
static void rounding_costs_little(void **state)
{
    (void)state;
    double worst = 0, lost = 0, sum = 0;
    for (int round = 0; round < 2000; round++) {
        struct problem p;
        double honest[STEPS + 1][K], rounded[STEPS + 1][K];
        random_problem(&p);
        honest_path(&p, honest);
        for (int s = 0; s <= p.n; s++) {
            int points[K];
            belief_round(points, honest[s], p.k, 1);
            for (int i = 0; i < p.k; i++)
                rounded[s][i] = points[i] / 100.0;
        }
        double base = expected(&p, rounded, honest[p.n]);
        double loss = expected(&p, honest, honest[p.n]) - base;
        lost = fmax(lost, loss);
        sum += loss / 2000;
        for (int from = 0; from < p.k; from++)
            for (int to = 0; to < p.k; to++) {
                double *last = rounded[p.n];
                if (from == to || last[from] < 0.0199)
                    continue;
                last[from] -= 0.01;
                last[to] += 0.01;
                worst = fmax(worst, expected(&p, rounded, honest[p.n]) - base);
                last[from] += 0.01;
                last[to] -= 0.01;
            }
    }
    print_message("# rounding: a neighbouring report gains at most %.3f points; rounding costs "
                  "%.2f on average, at most %.2f\n",
                  worst, sum, lost);
    assert_true(worst < 2.0);
    assert_true(sum < 3.0); /* mostly updating: nobody can say less than 1 %, so strong words that
                               confirm are not followed in full */
}

/* With the same beliefs, less patience spent never scores less: for every truth where Q is not
 * negative, and in expectation for every honest report, whose expected Q never is. Where somebody
 * is confidently wrong, Q is negative and so is the evidence line. */
static void thrift_pays(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        double p[K];
        int k = 2 + below(K - 1);
        random_shares(p, k);
        double cheap = below(20), dear = cheap + below(10), gain = 0, quality = 0;
        for (int truth = 0; truth < k; truth++) {
            double more =
                score_stakes(p, k, truth, cheap, 6, 15) - score_stakes(p, k, truth, dear, 6, 15);
            if (score_quality(p, k, truth) >= 0)
                assert_true(more >= 0);
            gain += p[truth] * more;
            quality += p[truth] * score_quality(p, k, truth);
        }
        assert_true(quality >= -1e-12);
        assert_true(gain >= -1e-12);
    }
}

/* ---- beliefs by keys ---- */

static void check_points(const int *points, int k)
{
    int sum = 0;
    for (int i = 0; i < k; i++) {
        assert_true(points[i] >= 1 && points[i] <= 100);
        sum += points[i];
    }
    assert_int_equal(sum, 100);
}

static void keys_keep_a_hundred(void **state)
{
    (void)state;
    for (int k = 2; k <= K; k++) {
        int points[K];
        double odds[K] = {0};
        belief_even(points, k);
        check_points(points, k);
        for (int press = 0; press < 12000; press++) {
            int chosen = below(k), before[K];
            enum belief_key key = (enum belief_key)below(3);
            memcpy(before, points, sizeof before);
            belief_press(odds, points, k, chosen, key);
            check_points(points, k);
            int moved = points[chosen] - before[chosen];
            if (key == BELIEF_MORE)
                assert_true(before[chosen] == 100 - (k - 1) ? moved == 0 : moved >= 1);
            else
                assert_true(before[chosen] == 1 ? moved == 0 : moved <= -1);
            if (key == BELIEF_OUT)
                assert_int_equal(points[chosen], 1);
            /* The others keep their order. */
            for (int a = 0; a < k; a++)
                for (int b = 0; b < k; b++)
                    if (a != chosen && b != chosen && before[a] > before[b])
                        assert_true(points[a] >= points[b]);
        }
    }
}

/* What nobody touched stays equal to the point of rounding, and keys that take one another back end
 * where they began. */
static void equal_beliefs_stay_equal(void **state)
{
    (void)state;
    int points[K];
    double odds[K] = {0};
    belief_even(points, K);
    for (int press = 0; press < 2000; press++) {
        belief_press(odds, points, K, below(3), (enum belief_key)below(3));
        int low = 100, high = 0;
        for (int i = 3; i < K; i++) {
            low = points[i] < low ? points[i] : low;
            high = points[i] > high ? points[i] : high;
        }
        assert_true(high - low <= 1);
    }
    belief_even(points, K);
    for (int press = 0; press < 3; press++)
        belief_press(odds, points, K, 4, BELIEF_MORE);
    for (int press = 0; press < 3; press++)
        belief_press(odds, points, K, 4, BELIEF_LESS);
    for (int i = 0; i < K; i++)
        assert_int_equal(points[i], 10);
    points[0] = 55;                             /* said otherwise: the odds are what was said */
    for (int i = 1; i < K; i++)
        points[i] = 5;
    belief_press(odds, points, K, 0, BELIEF_LESS);
    assert_int_equal(points[0], 38);
    for (int i = 1; i < K; i++)
        assert_true(points[i] == 6 || points[i] == 7);
}

static void keys_by_hand(void **state)
{
    (void)state;
    int two[2] = {50, 50};
    double odds[K] = {0};
    belief_press(odds, two, 2, 0, BELIEF_MORE);       /* odds 1 to 2 */
    assert_int_equal(two[0], 67);
    belief_press(odds, two, 2, 0, BELIEF_LESS);
    assert_int_equal(two[0], 50);
    belief_press(odds, two, 2, 1, BELIEF_OUT);
    assert_int_equal(two[0], 99);
    belief_press(odds, two, 2, 7, BELIEF_MORE);       /* no such hypothesis: nothing */
    assert_int_equal(two[0], 99);
    int four[4] = {100, 0, 0, 0};               /* from a script: zeros are allowed there */
    belief_press(odds, four, 4, 1, BELIEF_MORE);
    check_points(four, 4);
    int three[3];
    belief_even(three, 3);
    assert_true(three[0] == 34 && three[1] == 33 && three[2] == 33);
    const double weights[] = {1, 1, 1e9};
    belief_round(three, weights, 3, 0);
    assert_true(three[0] == 0 && three[1] == 0 && three[2] == 100);
    belief_round(three, weights, 3, 1);
    assert_true(three[0] == 1 && three[1] == 1 && three[2] == 98);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(worked_stakes),
        cmocka_unit_test(anchors),
        cmocka_unit_test(updating_by_hand),
        cmocka_unit_test(honesty_pays),
        cmocka_unit_test(rounding_costs_little),
        cmocka_unit_test(thrift_pays),
        cmocka_unit_test(keys_keep_a_hundred),
        cmocka_unit_test(equal_beliefs_stay_equal),
        cmocka_unit_test(keys_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
