/* The timing's statistics on made-up samples: exact small cases, and how often an interval that was
 * reached by the stopping rule covers the truth. Seeds are fixed, so the figures are too. */
#include "kernels/runner/stats.h"

#include <math.h>

#include "tests/unit.h"

static double near_to(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void median_and_extremes(void **state)
{
    const double three[] = {3, 1, 2}, four[] = {4, 1, 3, 2};
    struct interval i = stats_interval(three, 3);
    assert_true(near_to(i.median, 2) && near_to(i.low, 1) && near_to(i.high, 3) && i.n == 3);
    i = stats_interval(four, 4);
    assert_true(near_to(i.median, 2.5) && near_to(i.low, 1) && near_to(i.high, 4));
    i = stats_interval(NULL, 0);
    assert_true(i.n == 0 && i.median == 0 && i.low == 0);
}

/* n = 10: the pair (2, 9) covers 97.85 %, (3, 8) 89.06 %; the interval aims at 96 %. */
static void interpolated_order_statistics(void **state)
{
    double ten[10];
    for (int k = 0; k < 10; k++)
        ten[k] = 10 - k;
    struct interval i = stats_interval(ten, 10);
    double part = (0.978515625 - 0.96) / (0.978515625 - 0.890625),
           share = 8 * part / (2 + 6 * part);
    assert_true(fabs(i.low - (2 + share)) < 1e-9);
    assert_true(fabs(i.high - (9 - share)) < 1e-9);
}

static void verdicts(void **state)
{
    struct interval same = {1.001, 0.99, 1.01, 20}, slow = {1.2, 1.1, 1.3, 20},
                    fast = {0.5, 0.4, 0.6, 20};
    struct interval wide = {1.05, 0.9, 1.2, 20}, few = {2, 1.9, 2.1, 5};
    assert_int_equal(stats_verdict(&same, NULL), VERDICT_SAME);
    assert_int_equal(stats_verdict(&slow, NULL), VERDICT_SLOWER);
    assert_int_equal(stats_verdict(&slow, &slow), VERDICT_SLOWER);
    assert_int_equal(stats_verdict(&slow, &wide), VERDICT_AMBIGUOUS);
    assert_int_equal(stats_verdict(&slow, &fast), VERDICT_AMBIGUOUS);
    assert_int_equal(stats_verdict(&fast, &fast), VERDICT_FASTER);
    assert_int_equal(stats_verdict(&wide, NULL), VERDICT_AMBIGUOUS);
    assert_int_equal(stats_verdict(&few, NULL), VERDICT_AMBIGUOUS);
}

static void stopping(void **state)
{
    struct interval narrow = {7, 6.95, 7.05, 15}, far = {7, 6.5, 7.5, 15},
                    near = {1.05, 1.0, 1.1, 15}, early = {1, 1, 1, 14};
    assert_true(stats_settled(&narrow, false));
    assert_true(stats_settled(&far, true));
    assert_false(stats_settled(&far, false));
    assert_false(stats_settled(&near, true));
    assert_false(stats_settled(&early, true));
    assert_false(stats_due(14));
    assert_true(stats_due(15));
    assert_false(stats_due(16));
    assert_true(stats_due(18));
}

static uint64_t seed;
static double uniform(void)
{
    seed += 0x9e3779b97f4a7c15u;
    uint64_t x = seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* One call: true time, 2 % noise, clock drift over the run, now and then an outlier. */
static double sample(double truth, int at, double noise)
{
    double normal = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
    double outlier = uniform() < 0.03 ? 1 + 2 * uniform() : 1;
    return truth * (1 + 0.0005 * at) * (1 + noise * normal) * outlier;
}

/* Runs the stopping rule once; the interval that it stops with. */
static struct interval run(double truth, double noise)
{
    double ratios[STATS_MAX_ROUNDS];
    struct interval i = {0, 0, 0, 0};
    for (int n = 0; n < STATS_MAX_ROUNDS;) {
        bool swapped = n % 2;
        double first = sample(swapped ? 1 : truth, 2 * n, noise),
               second = sample(swapped ? truth : 1, 2 * n + 1, noise);
        ratios[n++] = swapped ? second / first : first / second;
        if (!stats_due(n))
            continue;
        i = stats_interval(ratios, n);
        if (stats_settled(&i, true))
            break;
    }
    return i;
}

static void intervals_cover_the_truth(void **state)
{
    const double truths[] = {1.0, 1.05, 2.2, 7.0}, noises[] = {0.005, 0.02, 0.05};
    int all = 0, covered = 0;
    for (int t = 0; t < 4; t++)
        for (int s = 0; s < 3; s++) {
            int here = 0;
            seed = (uint64_t)(100 * t + s);
            for (int k = 0; k < 1000; k++) {
                struct interval i = run(truths[t], noises[s]);
                here += i.low <= truths[t] && truths[t] <= i.high;
            }
            print_message("# truth %g noise %g: covered %d of 1000\n", truths[t], noises[s], here);
            assert_in_range(here, 930, 970);
            covered += here;
            all += 1000;
        }
    assert_in_range(1000 * covered / all, 930, 970);
}

static void verdicts_are_right_when_they_can_be(void **state)
{
    int slower = 0, lies = 0;
    seed = 42;
    for (int k = 0; k < 500; k++) {
        struct interval clear = run(1.2, 0.02), equal = run(1.0, 0.02);
        slower += stats_verdict(&clear, NULL) == VERDICT_SLOWER;
        enum verdict v = stats_verdict(&equal, NULL);
        lies += v == VERDICT_SLOWER || v == VERDICT_FASTER;
    }
    assert_int_equal(slower, 500);
    assert_in_range(lies, 0, 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_and_extremes),
        cmocka_unit_test(interpolated_order_statistics),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(stopping),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(verdicts_are_right_when_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
