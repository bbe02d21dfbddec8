/* However the program ends, the terminal is given back. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/steps.h"
#include "tests/unit.h"

static struct screen *open_home(void)
{
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = 24, .columns = 80, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    assert_false(screen_same_modes(s));
    return s;
}

/* The alternate screen was left after it was entered, the cursor shown, pastes no longer marked,
 * the modes as before. */
static void is_restored(struct screen *s)
{
    size_t n;
    const char *bytes = screen_bytes(s, &n), *in = strstr(bytes, "\033[?1049h");
    assert_non_null(in);
    assert_non_null(strstr(in, "\033[?1049l"));
    const char *out = strstr(in, "\033[?1049l");
    assert_null(strstr(out, "\033[?1049h"));
    assert_non_null(strstr(in, "\033[?2004l"));
    assert_true(strstr(in, "\033[?25h") || strstr(in, "\033[?12l\033[?25h") ||
                strstr(in, "\033[34h\033[?25h"));
    assert_true(screen_same_modes(s));
}

static void after_quit(void **state)
{
    struct screen *s = open_home();
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    is_restored(s);
    screen_free(s);
}

static void after_control_c(void **state)
{
    struct screen *s = open_home();
    screen_send(s, "\003");
    assert_int_equal(screen_wait_exit(s), 0);
    is_restored(s);
    screen_free(s);
}

static void after_control_backslash(void **state)
{
    struct screen *s = open_home();
    screen_send(s, "\034");
    int status = screen_wait_exit(s);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
    is_restored(s);
    screen_free(s);
}

static void after_a_polite_signal(void **state)
{
    static const int numbers[] = { SIGTERM, SIGHUP };
    for (size_t i = 0; i < 2; i++) {
        struct screen *s = open_home();
        kill(screen_pid(s), numbers[i]);
        int status = screen_wait_exit(s);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 128 + numbers[i]);
        is_restored(s);
        screen_free(s);
    }
}

/* A sanitizer turns the signal into its own exit status; what counts is that it did not end well,
 * and the terminal. */
static void after_a_crash(void **state)
{
    static const int numbers[] = { SIGSEGV, SIGABRT, SIGBUS, SIGTRAP, SIGXCPU, SIGUSR1, SIGALRM };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct screen *s = open_home();
        kill(screen_pid(s), numbers[i]);
        int status = screen_wait_exit(s);
        assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
        is_restored(s);
        screen_free(s);
    }
}

static void after_the_window_was_closed(void **state)
{
    struct screen *s = open_home();
    screen_hang_up(s);
    int status = screen_wait_exit(s);
    assert_int_not_equal(status, -1);
    assert_true(WIFEXITED(status));
    screen_free(s);
}

static void while_it_is_suspended(void **state)
{
    struct screen *s = open_home();
    screen_send(s, "\032");
    assert_true(screen_wait_stopped(s));
    assert_true(screen_same_modes(s));
    kill(screen_pid(s), SIGCONT);
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    assert_false(screen_same_modes(s));
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

/* ---- terminals that are none, or unknown, or poor ---- */

static void not_a_terminal(void **state)
{
    const char *given = getenv("WARPDRILL_BIN");
    char command[512], line[512] = "";
    snprintf(command, sizeof command, "'%s' </dev/null 2>&1 >/dev/null",
             given && *given ? given : "build/warpdrill");
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    int status = pclose(f);
    assert_int_equal(WEXITSTATUS(status), 2);
    assert_non_null(strstr(line, "terminal"));
}

static void an_unknown_terminal_is_an_xterm(void **state)
{
    static const char *const environment[] = {"TERM=no-such-terminal", NULL},
                             *const arguments[] = {"--runner", "exit 3", NULL};
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "treated as an xterm");
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    is_restored(s);
    screen_free(s);
}

static void a_terminal_without_a_cursor_is_refused(void **state)
{
    static const char *const environment[] = { "TERM=dumb", NULL };
    struct screen_start how = { .rows = 24, .columns = 100, .environment = environment };
    struct screen *s = screen_start(&how);
    screen_expect(s, "dumb is none; set TERM");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 2);
    screen_free(s);
}

static void ascii_where_there_is_no_utf8(void **state)
{
    static const char *const environment[] = {"LC_ALL=C", NULL}, *const arguments[] = {"--runner",
                                                                                       "exit 3",
                                                                                       NULL};
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    size_t n;
    screen_expect(s, "first start");
    screen_expect(s, "--------------");
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    const char *bytes = screen_bytes(s, &n);
    for (size_t i = 0; i < n; i++)
        assert_true((unsigned char)bytes[i] < 0x80);
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_quit),
        cmocka_unit_test(after_control_c),
        cmocka_unit_test(after_control_backslash),
        cmocka_unit_test(after_a_polite_signal),
        cmocka_unit_test(after_a_crash),
        cmocka_unit_test(after_the_window_was_closed),
        cmocka_unit_test(while_it_is_suspended),
        cmocka_unit_test(not_a_terminal),
        cmocka_unit_test(an_unknown_terminal_is_an_xterm),
        cmocka_unit_test(a_terminal_without_a_cursor_is_refused),
        cmocka_unit_test(ascii_where_there_is_no_utf8),
    };
    return RUN_CASES(tests, NULL, NULL);
}
