/* Lines that name differing elements, held against a tolerance. */
#include "scenarios/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct msg_tolerance loose = {TOL_RELATIVE, 1e-4, 1e-9}, exact = {TOL_EXACT, 0, 0};

static void expect(const char *line, const struct msg_tolerance *t, const char *want)
{
    char *text = finding_text(line, t);
    assert_string_equal(text, want);
    free(text);
}

static void a_rounding_is_said_to_be_within(void **state)
{
    (void)state;
    expect("out[8192] is 7.75979279e-05 with NaN in shared memory, 7.75979424e-05 from zeros", &loose,
           "out[8192] is 7.75979279e-05 with NaN in shared memory, 7.75979424e-05 from zeros (differ by 1.45e-11, tolerance 8.76e-09: within it)");
    expect("out[1] is -2.5 in launch 2, -2.50001 in the first", &loose,
           "out[1] is -2.5 in launch 2, -2.50001 in the first (differ by 1e-05, tolerance 0.00025: within it)");
}

static void a_wrong_value_is_not(void **state)
{
    (void)state;
    expect("out[0] is 0.5, should be 1", &loose, "out[0] is 0.5, should be 1 (differ by 0.5, tolerance 0.0001)");
}

static void other_lines_stay(void **state)
{
    (void)state;
    static const char *const same[] = {"logits[0] is nan with NaN in the buffers, 0.74 from zeros", "hazard at suspect.cu:41", "", "out[1] is 3"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        expect(same[i], &loose, same[i]);
    expect("tokens[0] is 33791 with NaN in the buffers, 23681 from zeros", &exact, "tokens[0] is 33791 with NaN in the buffers, 23681 from zeros");
}

static void a_tolerance_has_both_parts(void **state)
{
    char text[80];
    (void)state;
    tolerance_text(text, sizeof text, &loose);
    assert_string_equal(text, "tolerance 1e-09 + 0.0001 x value");
    tolerance_text(text, sizeof text, &exact);
    assert_string_equal(text, "tolerance: exact");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rounding_is_said_to_be_within),
        cmocka_unit_test(a_wrong_value_is_not),
        cmocka_unit_test(other_lines_stay),
        cmocka_unit_test(a_tolerance_has_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
