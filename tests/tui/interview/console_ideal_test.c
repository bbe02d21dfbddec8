/* The ideal reader's column of the console. */
#include "tui/interview/console_ideal.h"

#include "tests/scenarios/toy.h"
#include "tests/unit.h"

/* What is believed alike reads alike, as in the column beside it: three times a third. */
static void equal_beliefs_have_equal_figures(void **state)
{
    struct toy *t = toy_new();
    struct investigation i = {.story = &t->story, .pushback = -1};
    int points[MAX_HYPOTHESES] = {0};
    t->story.n_hypotheses = 3;
    console_ideal(points, &t->variant, &i, 0, &t->device, t->all);
    for (int h = 0; h < 3; h++)
        assert_int_equal(points[h], 33);
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_beliefs_have_equal_figures),
    };
    return cmocka_run_group_tests_name("console_ideal", tests, NULL, NULL);
}
