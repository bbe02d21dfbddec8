/* Means, ranges and calibration on small samples worked out by hand. */
#include "drills/standing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%g is not %g", got, want);
}

static void test_groups(void **state)
{
    (void)state;
    const struct standing_look looks[] = {{"memory", 70}, {"latency", 40}, {"memory", 80}, {"memory", 75},
                                          {"latency", 60}, {"elsewhere", 1}};
    struct standing_group g[] = {{.group = "memory"}, {.group = "latency"}, {.group = "system"}};
    standing_groups(g, 3, looks, 6);
    /* sd 5, t(2) 4.303: 75 +- 4.303 * 5 / sqrt(3) = 75 +- 12.42 */
    assert_int_equal(g[0].n, 3);
    assert_true(g[0].ranged);
    assert_near(g[0].mean, 75, 1e-9);
    assert_near(g[0].low, 62.58, 0.01);
    assert_near(g[0].high, 87.42, 0.01);
    assert_int_equal(g[1].n, 2);
    assert_near(g[1].mean, 50, 1e-9);
    assert_false(g[1].ranged);
    assert_int_equal(g[2].n, 0);
    assert_near(g[2].mean, 0, 0);
}

static void test_range_is_clipped(void **state)
{
    (void)state;
    const struct standing_look looks[] = {{"m", -60}, {"m", -80}, {"m", 100}};
    struct standing_group g = {.group = "m"};
    standing_groups(&g, 1, looks, 3);
    assert_near(g.mean, 0, 0);
    assert_near(g.low, 0, 0);
    assert_near(g.high, 100, 0);
}

/* sd is 10 * sqrt(n / (n - 1)) for half 40 and half 60, so half the range is t * 10 / sqrt(n - 1):
 * 3.663 with n = 32, t(31) = 2.0395. With 16 of 60 and 15 of 40 the variance is 100 (1 - 1/961) n / (n - 1). */
static void test_many_looks(void **state)
{
    (void)state;
    struct standing_look looks[32];
    for (int i = 0; i < 32; i++)
        looks[i] = (struct standing_look){"m", i % 2 ? 40 : 60};
    struct standing_group g = {.group = "m"};
    standing_groups(&g, 1, looks, 32);
    assert_near(g.high - g.mean, 3.663, 0.001);
    standing_groups(&g, 1, looks, 31);
    assert_true(g.ranged);
    assert_near(g.high - g.low, 2 * 2.042 * sqrt(100 * (1 - 1.0 / 961) / 30), 1e-6);
}

static void test_calibration(void **state)
{
    (void)state;
    const struct standing_said said[] = {{0, false}, {0.05, false}, {0.1, true}, {0.95, true}, {1, false}, {0.9, true},
                                         {0.6, true}};
    struct standing_bin bins[STANDING_BINS];
    standing_calibrate(bins, said, 7);
    const int n[STANDING_BINS] = {2, 1, 0, 1, 0, 3};
    for (int i = 0; i < STANDING_BINS; i++)
        assert_int_equal(bins[i].n, n[i]);
    assert_near(bins[0].said, 0.025, 1e-12);
    assert_near(bins[0].right, 0, 0);
    assert_near(bins[1].right, 1, 0);
    assert_near(bins[2].said, 0, 0);
    assert_near(bins[5].said, 0.95, 1e-12);
    assert_near(bins[5].right, 2.0 / 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_range_is_clipped),
        cmocka_unit_test(test_many_looks),
        cmocka_unit_test(test_calibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
