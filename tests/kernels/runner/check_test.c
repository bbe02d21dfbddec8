/* The correctness checks are checked: every wrong kernel fails, the right one passes, and the check
 * reports what it finds wrong with cheats of its own. */
#include "tests/kernels/runner/talk.h"

#include <math.h>

#include "tests/unit.h"

static const char CHECK[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}";
enum { ELEMENTS = 4096 };

struct finding { double wrong, compared, max_error, faults, canaries, inputs; };

static bool notes_hold(const json_t *part, const char *note)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(part, "notes"), i, one)
        if (!strcmp(json_string_value(one), note))
            return true;
    return false;
}

/* What the check counts for a kernel that behaves so; its own verdict has to agree. */
static struct finding find(struct talk *t, int id, const char *behaviour)
{
    talk_measure(t, id, behaviour, 20000, CHECK);
    json_t *part = talk_part(t, "a"), *done = talk_wait(t, "done");
    struct finding f = {
        .wrong = talk_value(part, "wrong_elements"),
        .compared = talk_value(part, "compared_elements"),
        .max_error = talk_value(part, "max_error"),
        .faults = talk_value(part, "faults"),
        .canaries = talk_value(part, "canaries_broken"),
        .inputs = talk_value(part, "inputs_changed"),
    };
    bool right = f.wrong == 0 && f.canaries == 0 && f.inputs == 0;
    print_message("# %s: wrong %g, canaries %g, inputs %g\n", behaviour, f.wrong, f.canaries,
                  f.inputs);
    assert_true(f.faults == 0);
    assert_string_equal(json_string_value(json_object_get(done, "status")), "ok");
    assert_true(notes_hold(part, right ? "verdict: right" : "verdict: wrong"));
    assert_true(f.compared == ELEMENTS);
    json_decref(part);
    json_decref(done);
    return f;
}

static void expect_right(struct talk *t, int id, const char *behaviour)
{
    struct finding f = find(t, id, behaviour);
    assert_true(f.wrong == 0 && f.max_error == 0 && f.canaries == 0 && f.inputs == 0);
}

static void wrong_kernels_fail(void **state)
{
    struct talk t;
    struct finding f;
    talk_open(&t);
    expect_right(&t, 1, "move");
    assert_true(find(&t, 2, "zeros").wrong > ELEMENTS * 0.99);
    assert_true(find(&t, 3, "nothing").wrong > ELEMENTS * 0.99);
    f = find(&t, 4, "input"); /* the diagonal is right */
    assert_true(f.wrong > ELEMENTS * 0.9 && f.wrong <= ELEMENTS - 64);
    f = find(&t, 5, "off");
    assert_true(f.wrong == 1 && fabs(f.max_error - 3e-6) < 1e-7);
    f = find(&t, 6, "tail");
    assert_true(f.wrong == 32);
    f = find(&t, 7, "canary");
    assert_true(f.wrong == 0 && f.canaries > 0);
    f = find(&t, 8, "writes");
    assert_true(f.inputs > 0);
    f = find(&t, 9, "stale");
    assert_true(f.wrong > 0);
    expect_right(&t, 10, "move"); /* and what the wrong ones left behind is mended */
    assert_int_equal(talk_close(&t), 0);
}

/* What a plain test cannot see: that is what the other probes are for. */
static void lucky_kernels_pass(void **state)
{
    struct talk t;
    talk_open(&t);
    expect_right(&t, 1, "garbage");
    expect_right(&t, 2, "adds");
    expect_right(&t, 3, "beyond");
    assert_int_equal(talk_close(&t), 0);
}

static void the_check_is_checked(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, CHECK);
    json_t *part = talk_part(&t, "r"), *done = talk_wait(&t, "done");
    assert_true(talk_value(part, "zeros_wrong") > ELEMENTS * 0.99);
    assert_true(talk_value(part, "poison_wrong") == ELEMENTS);
    assert_true(talk_value(part, "input_wrong") > ELEMENTS * 0.9);
    assert_true(talk_value(part, "largest_value") > 0.9 && talk_value(part, "largest_value") <= 1);
    assert_true(notes_hold(part, "check of the check: passed"));
    json_decref(part);
    json_decref(done);
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_kernels_fail),
                                       cmocka_unit_test(lucky_kernels_pass),
                                       cmocka_unit_test(the_check_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
