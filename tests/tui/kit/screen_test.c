/* The harness itself: pictures change by whole frames, and a case that fails ends alone. */
#include <errno.h>
#include <signal.h>

#include "tests/tui/steps.h"
#include "tests/unit.h"

static struct screen *start(int rows, const char *program, const char *const *arguments)
{
    return screen_start(&(struct screen_start){
        .rows = rows, .columns = 80, .program = program, .arguments = arguments });
}

static struct screen *shell(const char *command)
{
    return start(4, "/bin/sh", (const char *const[]){ "-c", command, NULL });
}

static void bytes_come(struct screen *s, const char *text)
{
    size_t n;
    while (!strstr(screen_bytes(s, &n), text))
        screens_take(1000);
}

static void half_a_frame_is_not_shown(void **state)
{
    int row, column;
    struct screen *s = shell("stty -echo; printf 'OLD\\033[?2026h\\rHALF'; read a; "
                             "printf '\\033[?2026lNEW'; read b");
    screen_expect(s, "OLD");
    bytes_come(s, "HALF");
    assert_false(screen_find(s, "HALF", &row, &column));
    screen_send(s, "\r");
    screen_expect(s, "NEW");
    assert_true(screen_find(s, "HALF", &row, &column));
    screen_free(s);
}

static void a_mark_may_come_in_two_pieces(void **state)
{
    int row, column;
    struct screen *s = shell("stty -echo; printf 'OLD\\033[?20'; read a; "
                             "printf '26h\\rHALF'; read b; printf '\\033[?2026lNEW'; read c");
    screen_expect(s, "OLD");
    bytes_come(s, "\033[?20");
    screen_send(s, "\r");
    bytes_come(s, "HALF");
    assert_false(screen_find(s, "HALF", &row, &column));
    screen_send(s, "\r");
    screen_expect(s, "NEW");
    screen_free(s);
}

/* ---- a case that fails: this program once more, in a terminal ---- */

static pid_t left;

static void inner_fails(void **state)
{
    struct screen *waiting = shell("exec sleep 1000"), *ended = shell("exit 3");
    left = screen_pid(waiting);
    screen_expect(ended, "what never comes");
}

static void inner_begins_anew(void **state)
{
    assert_int_equal(kill(left, 0), -1);
    assert_int_equal(errno, ESRCH);
    struct screen *s = shell("printf here; read a");
    screen_expect(s, "here");
    screen_free(s);
}

static int inner(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_fails),
        cmocka_unit_test(inner_begins_anew),
    };
    return RUN_CASES(tests, NULL, NULL);
}

static void a_failure_ends_its_case_alone(void **state)
{
    int row, column;
    struct screen *s = start(40, "/proc/self/exe", (const char *const[]){ "inner", NULL });
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    assert_true(screen_find(s, "'what never comes' never came", &row, &column));
    assert_true(screen_find(s, "not ok 1 - inner_fails", &row, &column));
    assert_true(screen_find(s, "ok 2 - inner_begins_anew", &row, &column));
    assert_false(screen_find(s, "not ok 2", &row, &column));
    screen_free(s);
}

int main(int argc, char **argv)
{
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_frame_is_not_shown),
        cmocka_unit_test(a_mark_may_come_in_two_pieces),
        cmocka_unit_test(a_failure_ends_its_case_alone),
    };
    return argc > 1 ? inner() : RUN_CASES(tests, NULL, NULL);
}
