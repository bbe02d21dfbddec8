/* Peaks from attributes, against figures that NVIDIA publishes, and the shortest times that follow
 * from them. */
#include "kernels/runner/limits.h"

#include <math.h>

#include "tests/unit.h"

static struct gpu_facts chip(int arch, int sms, double clock_hz)
{
    return (struct gpu_facts){.major = arch / 10,
                              .minor = arch % 10,
                              .sm_count = sms,
                              .clock_hz = clock_hz,
                              .l2_bytes = 50 << 20,
                              .dram_peak = 4.8e12};
}

static void near(double got, double published)
{
    assert_true(fabs(got / published - 1) < 0.02);
}

/* Data sheets' dense figures: T4, A100, A10, L4, H100 SXM, B200, RTX 5090. */
static void peaks_are_those_of_data_sheets(void **state)
{
    static const struct { int arch, sms; double clock, fma, tensor;
    } known[] = {
        {75, 40, 1.59e9, 8.1e12, 65e12},    {80, 108, 1.41e9, 19.5e12, 312e12},
        {86, 72, 1.695e9, 31.2e12, 125e12}, {89, 58, 2.04e9, 30.3e12, 121e12},
        {90, 132, 1.83e9, 61.8e12, 989e12}, {120, 170, 2.407e9, 104.8e12, 419e12},
        {100, 148, 1.85e9, 70e12, 2250e12},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct gpu_facts f = chip(known[i].arch, known[i].sms, known[i].clock);
        struct limits l = limits_of(&f);
        near(l.fma, known[i].fma);
        near(l.tensor, known[i].tensor);
        assert_true(l.fastest > l.tensor);
    }
}

static void an_unknown_chip_has_no_limits_of_arithmetic(void **state)
{
    struct gpu_facts f = chip(199, 100, 2e9);
    struct limits l = limits_of(&f);
    struct limits_work w = {.flops = 1e18};
    char why[200];
    assert_true(l.fma == 0 && l.tensor == 0 && l.fastest == 0);
    assert_true(limits_shortest(&f, &w, why, sizeof why) == 0);
    assert_string_equal(why, "");
}

static void bytes_count_only_when_they_must_cross(void **state)
{
    struct gpu_facts f = chip(90, 132, 1.98e9);
    double l2 = 50 << 20;
    struct limits_work w = {.bytes = 4.8e9, .footprint = 4.8e9, .cold = true};
    char why[200];
    near(limits_shortest(&f, &w, why, sizeof why), 1e-3);
    assert_non_null(strstr(why, "DRAM"));
    w.written = 2.4e9; /* what is dirty in L2 at the end has not crossed */
    assert_true(fabs(limits_shortest(&f, &w, why, sizeof why) - (4.8e9 - l2) / 4.8e12) < 1e-12);
    w.cold = false;
    assert_true(limits_shortest(&f, &w, why, sizeof why) == 0);
    w = (struct limits_work){.bytes = 3.9 * l2, .footprint = 3.9 * l2, .cold = true};
    assert_true(limits_shortest(&f, &w, why, sizeof why) == 0);
    w.footprint = 4 * l2;
    assert_true(limits_shortest(&f, &w, why, sizeof why) > 0);
    f.dram_peak = 0;
    assert_true(limits_shortest(&f, &w, why, sizeof why) == 0);
}

static void the_longer_of_both_limits_counts(void **state)
{
    struct gpu_facts f = chip(90, 132, 1.98e9);
    struct limits_work w = {.bytes = 4.8e9, .flops = 1e13, .footprint = 4.8e9, .cold = true};
    char why[200];
    near(limits_shortest(&f, &w, why, sizeof why), 1e13 / limits_of(&f).fastest);
    assert_non_null(strstr(why, "pipe"));
    w.flops = 1;
    near(limits_shortest(&f, &w, why, sizeof why), 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_those_of_data_sheets),
        cmocka_unit_test(an_unknown_chip_has_no_limits_of_arithmetic),
        cmocka_unit_test(bytes_count_only_when_they_must_cross),
        cmocka_unit_test(the_longer_of_both_limits_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
