/* The question before GPU code of a foreign pack runs: asked once, kept as a line of text, no means
 * recorded evidence; on screens and by commands. */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char state_home[128], answers[160];

static int set_up(void **state)
{
    if (recorded_folder("trust"))
        return -1;
    snprintf(state_home, sizeof state_home, "XDG_STATE_HOME=%s/state", folder);
    snprintf(answers, sizeof answers, "%s/state/warpdrill/trusted-packs", folder);
    return 0;
}

/* The program with the fake runner; `last` are further arguments, NULL at the end. */
static struct screen *start(int rows, int columns, const char *const *last)
{
    char runner[256], db[128];
    const char *build = getenv("BUILD");
    const char *arguments[16] = { "--db", db, "--pack", packs, "--seed", "1", "--runner", runner };
    const char *environment[] = { state_home, NULL };
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner good",
             build && *build ? build : "build");
    snprintf(db, sizeof db, "%s/progress.db", folder);
    for (int n = 8; *last; last++)
        arguments[n++] = *last;
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

static struct screen *play(int rows, int columns)
{
    static const char *const last[] = { "play", "transposed-copy/a", NULL };
    return start(rows, columns, last);
}

/* The file's text; "" when there is none. */
static const char *kept(void)
{
    static char text[4096];
    FILE *f = fopen(answers, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    return text;
}

static void the_question_names_pack_and_folder(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct screen *s = play(sizes[i].rows, sizes[i].columns);
        screen_expect(s, "MAY IT RUN HERE?");
        screen_expect(s, "first-principles, ");
        screen_expect(s, packs);
        screen_expect(s, "author.");                /* all of it is seen */
        screen_expect(s, "y yes, run it");
        press(s, "\x1b", "s scen");                 /* Esc starts nothing */
        leave(s);
        assert_string_equal(kept(), "");
    }
}

static void no_goes_on_with_recorded_evidence(void **state)
{
    struct screen *s = play(30, 100);
    screen_expect(s, "MAY IT RUN HERE?");
    press(s, "n", "NVIDIA H200, recorded");
    screen_expect(s, "this kernel");
    press(s, "\x1b", "Esc again");
    press(s, "\x1b", "s scen");
    press(s, "s", "SCENARIOS");
    screen_send(s, "\x1bOB\r");                     /* not asked again while the program runs */
    screen_expect(s, "NVIDIA H200, recorded");
    leave(s);
    assert_string_equal(kept(), "");
}

static void yes_runs_it_and_is_kept(void **state)
{
    char line[256];
    struct screen *s = play(30, 100);
    screen_expect(s, "MAY IT RUN HERE?");
    press(s, "y", "Fake GPU, live");
    screen_expect(s, "67.1 µs");
    leave(s);
    snprintf(line, sizeof line, "\nfirst-principles %s/first-principles\n", packs);
    assert_non_null(strstr(kept(), line));
    s = play(30, 100);                              /* never again */
    screen_expect(s, "Fake GPU, live");
    screen_expect(s, "67.1 µs");
    leave(s);
}

static void an_attempt_that_was_begun_live_asks_before_it_goes_on(void **state)
{
    struct screen *s = play(30, 100);
    screen_expect(s, "MAY IT RUN HERE?");
    press(s, "y", "67.1 µs");
    leave(s);
    assert_int_equal(remove(answers), 0);
    static const char *const last[] = { NULL };
    s = start(30, 100, last);
    screen_expect(s, "Fake GPU, live");
    press(s, "\r", "MAY IT RUN HERE?");
    press(s, "n", "its GPU code may not run here");
    press(s, "d", "its GPU code may not run here");
    press(s, "\x1b", "Esc again");
    press(s, "\x1b", "s scen");
    press(s, "\r", "MAY IT RUN HERE?"); /* it can go on live alone, so it may be asked again */
    press(s, "y", "67.1 µs");
    leave(s);
}

static void the_fix_of_a_debrief_asks_too(void **state)
{
    struct screen *s = play(30, 100);
    screen_expect(s, "MAY IT RUN HERE?");
    press(s, "n", "this kernel");
    press(s, "\r", "Enter lock");
    press(s, "\r", "Enter again locks");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r2\r", "How long does it take at the very least");
    press(s, "\r\r", "How many store requests"); /* one Enter too many would leave the debrief */
    press(s, "\r\r", "Enter ends it");
    press(s, "\r", "SIDE BY SIDE");
    press(s, "f", "MAY IT RUN HERE?");
    press(s, "n", "SIDE BY SIDE");
    press(s, "f", "MAY IT RUN HERE?");
    press(s, "y", "live, Fake GPU");
    leave(s);
}

static void a_command_asks_on_its_terminal(void **state)
{
    static const char *const last[] = {"probe", "transposed-copy/a", "timing", "--tier", "live",
                                       NULL};
    struct screen *s = start(30, 100, last);
    screen_expect(s, "'first-principles', ");
    screen_expect(s, "[y/N]");
    screen_send(s, "\r");
    screen_expect(s, "nothing of 'first-principles' was run");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_free(s);
    s = start(30, 100, last);
    screen_expect(s, "[y/N]");
    screen_send(s, "y\r");
    screen_expect(s, "live  Fake GPU");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
    assert_non_null(strstr(kept(), "first-principles"));
    s = start(30, 100, last);
    screen_expect(s, "live  Fake GPU");
    assert_false(screen_find(s, "[y/N]", NULL, NULL));
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_question_names_pack_and_folder, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(no_goes_on_with_recorded_evidence, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(yes_runs_it_and_is_kept, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(an_attempt_that_was_begun_live_asks_before_it_goes_on,
                                        set_up, folder_remove),
        cmocka_unit_test_setup_teardown(the_fix_of_a_debrief_asks_too, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(a_command_asks_on_its_terminal, set_up, folder_remove),
    };
    return RUN_CASES(tests, NULL, NULL);
}
