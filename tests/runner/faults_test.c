/* A fault, an endless kernel and an endless compilation: each gets its message within a second of the
 * deadline, and the next request succeeds. */
#include "tests/runner/talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char TIMING[] = "{\"probe\":\"timing\",\"runs\":[\"a\"]}";

static void expect(struct talk *t, int id, const char *behaviour, int deadline_ms, const char *code)
{
    int64_t from = os_monotonic_ms();
    talk_measure(t, id, behaviour, deadline_ms, TIMING);
    json_t *done = talk_wait(t, "done");
    const char *got = json_string_value(json_object_get(json_object_get(done, "error"), "code"));
    print_message("# %s: %s after %d ms\n", behaviour, got ? got : "no error", (int)(os_monotonic_ms() - from));
    assert_int_equal(json_integer_value(json_object_get(done, "id")), id);
    assert_string_equal(got ? got : "", code);
    assert_true(os_monotonic_ms() - from < deadline_ms + 1000);
    json_decref(done);
}

static void each_gets_its_message(void **state)
{
    struct talk t;
    (void)state;
    talk_open(&t);
    expect(&t, 1, "move", 20000, "");
    expect(&t, 2, "fault", 20000, "fault");
    expect(&t, 3, "move", 20000, "");
    expect(&t, 4, "endless", 1500, "timeout");
    expect(&t, 5, "move", 20000, "");
    expect(&t, 6, "endless-compilation", 1500, "timeout");
    expect(&t, 7, "move", 20000, "");
    expect(&t, 8, "refuse", 20000, "compile");
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_gets_its_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
