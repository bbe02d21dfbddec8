/* The score: its worked example, and what it must reward; whole investigations are in
 * honesty_test.c. Random problems come from a seeded generator. */
#include <math.h>

#include "scenarios/play/investigation.h"
#include "scenarios/play/scoring.h"
#include "tests/unit.h"

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

/* The man page's example: every number in it is computed here and looked for there. */
static void in_manual(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void in_manual(const char *fmt, ...)
{
    static char text[131072], page[131072];
    if (!page[0]) {
        FILE *f = fopen("warpdrill.1", "r");
        assert_non_null(f);
        size_t n = fread(page, 1, sizeof page - 1, f);
        fclose(f);
        for (size_t i = 0; i < n; i++)      /* lines of the source are not those of the page */
            page[i] = page[i] == '\n' ? ' ' : page[i];
    }
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!strstr(page, text))
        fail_msg("warpdrill.1 lacks '%s'", text);
}

static void worked_example(void **state)
{
    const double locked[K] = {0.60, 0.08, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04, 0.04};
    const double p[K] = {0.82, 0.06, 0.04, 0.02, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    const double settles[K] = {50, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double even[K], leads[K];
    for (int h = 0; h < K; h++)
        even[h] = 1.0 / K;
    score_posterior(leads, even, settles, K);
    double before = score_distance(locked, leads, K), after = score_distance(p, leads, K);
    double u = score_updating(before);
    in_manual("50 / 59 = %.0f %%", 100 * leads[0]);
    in_manual("D = %.2f, u = %.2f, %.1f of 7 points", before, u, UPDATING_COMMITTED * u);
    in_manual("D = %.2f, u = %.0f, 3 of 3", after, score_updating(after));
    double q = score_quality(p, K, 0), e = score_thrift(true, 8, 6, 15);
    in_manual("Q = %.3f", q);
    in_manual("e = %.2f", e);
    struct score s = {.line = {40 * q, 20 * e * q,
                               10 * score_estimate(0.14e-3, 0.150e-3, 1.10) +
                                   10 * 0.5 * score_estimate(268e6 * 2, 537e6, 1.10),
                               UPDATING_COMMITTED * u +
                                   UPDATING_ANSWERED * score_updating(after),
                               5, 5}};
    for (int l = 0; l < LINE_COUNT; l++)
        s.possible[l] = score_line_possible((enum score_line_id)l);
    score_add_up(&s);
    in_manual("%.0f + %.0f + %.0f + %.0f + 5 + 5 = %.0f of 100", s.line[0], s.line[1], s.line[2],
              s.line[3], s.total);
    assert_float_equal(score_stakes(p, K, 0, e, false), s.line[0] + s.line[1], 1e-12);
    s.line[LINE_ESTIMATES] = s.possible[LINE_ESTIMATES] = 0;
    score_add_up(&s);
    assert_int_equal(s.of, 80);
    in_manual("%.0f of 80, which is %.0f of 100", s.sum, s.total);
}

/* The stakes that the commitment screen shows, at the beliefs that it shows. */
static void worked_stakes(void **state)
{
    const double p[K] = {0.38, 0.06, 0.06, 0.06, 0.06, 0.30, 0.02, 0.01, 0.03, 0.02};
    const double committed[K] = {0.86, 0.04, 0.03, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
    double e = score_thrift(true, 8, 6, 15);
    assert_true(score_stakes(p, K, 0, e, false) > score_stakes(p, K, 5, e, false));
    assert_true(score_stakes(p, K, 5, e, false) > score_stakes(p, K, 1, e, false));
    assert_float_equal(score_stakes(committed, K, 0, e, false), 54, 1.5);
    assert_float_equal(score_stakes(committed, K, 1, e, false), -50, 5);
}

static void anchors(void **state)
{
    for (int k = 2; k <= K; k++) {
        double even[K], certain[K] = {1};
        for (int i = 0; i < k; i++)
            even[i] = 1.0 / k;
        for (int truth = 0; truth < k; truth++) {
            assert_float_equal(score_quality(even, k, truth), 0, 1e-12);
            assert_float_equal(score_stakes(even, k, truth, 1, false), 0, 1e-12);
        }
        assert_float_equal(score_quality(certain, k, 0), 1, 1e-12);
        assert_true(score_quality(certain, k, 1) < -1 + 1e-12);
    }
    assert_float_equal(score_thrift(true, 0, 6, 15), 1, 0);
    assert_float_equal(score_thrift(true, 6, 6, 15), 1, 0);
    assert_float_equal(score_thrift(true, 15, 6, 15), 0, 0);
    assert_float_equal(score_thrift(true, 40, 6, 15), 0, 0);
    assert_float_equal(score_thrift(false, 1, 6, 15), 0, 0);   /* a question, and no evidence */
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
    assert_float_equal(score_updating(0), 1, 0);
    assert_float_equal(score_updating(0.15), 1, 1e-12);
    assert_float_equal(score_updating(0.325), 0.5, 1e-12);
    assert_float_equal(score_updating(0.5), 0, 1e-12);
    assert_float_equal(score_updating(1), 0, 0);
    assert_int_equal(UPDATING_COMMITTED + UPDATING_ANSWERED, score_line_possible(LINE_UPDATING));
    const double prior[] = {0.5, 0.25, 0.25}, words[] = {4, 1, 0.25};
    double out[3];
    score_posterior(out, prior, words, 3);
    assert_float_equal(out[0], 2 / 2.3125, 1e-12);
    const double nothing[] = {0, 0, 0};
    score_posterior(out, prior, nothing, 3);
    assert_float_equal(out[0], 0.5, 0);
}

/* With the same beliefs, less patience spent never scores less: for every truth where Q is not
 * negative, and in expectation for every honest report, whose expected Q never is. Where somebody
 * is confidently wrong, Q is negative and so is the evidence line. */
static void thrift_pays(void **state)
{
    for (int round = 0; round < 5000; round++) {
        double p[K];
        int k = 2 + below(K - 1);
        random_shares(p, k);
        double cheap = below(20), dear = cheap + below(10), gain = 0, quality = 0;
        for (int truth = 0; truth < k; truth++) {
            double more = score_stakes(p, k, truth, score_thrift(true, cheap, 6, 15), false) -
                          score_stakes(p, k, truth, score_thrift(true, dear, 6, 15), false);
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

/* What is equal is shown equal, however the points fell. */
static void equal_beliefs_are_shown_equal(void **state)
{
    for (int k = 2; k <= K; k++) {
        int points[K], shown[K];
        double odds[K] = {0};
        belief_even(points, k);
        belief_show(shown, odds, points, k);
        for (int i = 0; i < k; i++)
            assert_int_equal(shown[i], (int)lround(100.0 / k));
        for (int press = 0; press < 60; press++) {
            belief_press(odds, points, k, 0, (enum belief_key)below(3));
            belief_show(shown, odds, points, k);
            for (int i = 1; i < k; i++) {
                assert_int_equal(shown[i], shown[1]);
                assert_true(abs(shown[i] - points[i]) <= 1);
            }
            assert_int_equal(shown[0], points[0]);
        }
    }
    const int said[3] = {50, 26, 24};               /* two points apart are not one belief */
    int shown[3];
    double odds[3] = {0};
    belief_show(shown, odds, said, 3);
    assert_memory_equal(shown, said, sizeof shown);
}

static void keys_by_hand(void **state)
{
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

static void a_percentage_is_taken_as_it_is(void **state)
{
    for (int k = 2; k <= 10; k++) {
        for (int said = 0; said <= 99; said++) {
            double odds[10] = {0};
            int points[10], most = 100 - (k - 1), sum = 0;
            belief_even(points, k);
            belief_press(odds, points, k, 0, BELIEF_MORE);
            belief_say(odds, points, k, k - 1, said);
            assert_int_equal(points[k - 1], said < 1 ? 1 : said > most ? most : said);
            for (int h = 0; h < k; h++)
                sum += points[h];
            assert_int_equal(sum, 100);
        }
    }
    double odds[3] = {0};
    int points[] = {50, 25, 25};
    belief_say(odds, points, 3, 2, 70);
    assert_true(points[0] == 20 && points[1] == 10 && points[2] == 70);
    belief_press(odds, points, 3, 2, BELIEF_LESS);      /* half of 70 : 30 */
    assert_true(points[0] == 31 && points[1] == 15 && points[2] == 54);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(worked_stakes),
        cmocka_unit_test(anchors),
        cmocka_unit_test(updating_by_hand),
        cmocka_unit_test(thrift_pays),
        cmocka_unit_test(keys_keep_a_hundred),
        cmocka_unit_test(equal_beliefs_stay_equal),
        cmocka_unit_test(equal_beliefs_are_shown_equal),
        cmocka_unit_test(keys_by_hand),
        cmocka_unit_test(a_percentage_is_taken_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
