/* The interviewer's console beside a candidate's terminal, each in a pseudo terminal of its own,
 * over the real socket. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char state_home[128], runtime[128], code[32];
static struct screen *host, *candidate;

static int set_up(void **state)
{
    if (recorded_folder("console"))
        return -1;
    snprintf(state_home, sizeof state_home, "XDG_STATE_HOME=%s/state", folder);
    snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", folder);
    return 0;
}

/* ---- both sides ---- */

static struct screen *start(int rows, int columns, const char *const *last)
{
    char db[128];
    const char *arguments[24] = {"--db",   db,  "--pack",   packs,
                                 "--seed", "3", "--runner", "/bin/false"};
    const char *environment[] = {"WARPDRILL_CONTENT=/nowhere",
                                 state_home,
                                 runtime,
                                 "TMUX",
                                 "DISPLAY",
                                 "WAYLAND_DISPLAY",
                                 NULL};
    snprintf(db, sizeof db, "%s/progress.db", folder);
    for (int n = 8; *last; last++)
        arguments[n++] = *last;
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

static void host_starts(int rows, int columns)
{
    static const char *const last[] = { "host", "--level", "1", "--start", NULL };
    host = start(rows, columns, last);
    screen_expect(host, "not begun");
}

static void host_resumes(void)
{
    static const char *const last[] = { "host", "--resume", NULL };
    host = start(30, 100, last);
    screen_expect(host, "MOVES");
}

/* From the page that says how to join. */
static void read_code(void)
{
    int row, column;
    char text[256];
    press(host, "c", "HOW THEY JOIN");
    screen_expect(host, "warpdrill join ");
    assert_true(screen_find(host, "warpdrill join ", &row, &column));
    screen_row(host, row, text, sizeof text);
    assert_int_equal(sscanf(strstr(text, "warpdrill join "), "warpdrill join %31s", code), 1);
    screen_send(host, "\x1b");
    screen_expect_gone(host, "HOW THEY JOIN");
}

static void candidate_joins(void)
{
    const char *const last[] = { "join", code, "--name", "Ada", NULL };
    candidate = start(30, 100, last);
    screen_expect(host, "Ada, here");
}

/* An interview whose second part, a scenario, runs; the candidate is there. */
static void scenario_runs(void)
{
    host_starts(30, 100);
    read_code();
    candidate_joins();
    press(host, "\r", "part 1 of");
    press(host, "t", "THE CLOCK");
    press(host, "2", "only on this screen");
    screen_expect(candidate, "WHAT YOU BELIEVE");
}

static void host_leaves(void)
{
    press(host, "Q", "q once more leaves");
    screen_send(host, "Q");
    assert_int_equal(screen_wait_exit(host), 0);
    screen_free(host);
    screen_free(candidate);
    candidate = NULL;
}

static bool host_wrote(const char *text)
{
    size_t n;
    return strstr(screen_bytes(host, &n), text) != NULL;
}

/* Presses the digit of the line with this label: it is marked as said, or waits for Enter. */
static void say_line(const char *label)
{
    int row, column;
    char text[256], digit[2] = { 0 };
    screen_expect(host, label);
    assert_true(screen_find(host, label, &row, &column));
    screen_row(host, row, text, sizeof text);
    digit[0] = text[strcspn(text, "123456789")];
    screen_send(host, digit);
}

/* ---- cases ---- */

static void it_draws_at_three_sizes(void **state)
{
    static const struct { int rows, columns; const char *panes[6];
    } sizes[] = {
        {30, 100, {"BELIEFS", NULL}},
        {24, 80, {"MOVES", NULL}},
        {20, 60, {"BELIEFS", "MOVES", "SAY NEXT", "RUBRIC", "NOTES", NULL}},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        host_starts(sizes[i].rows, sizes[i].columns);
        screen_expect(host, "Enter begins part 1");
        press(host, "\r", "Enter once more");      /* nobody has joined */
        screen_send(host, "\r");
        screen_expect_gone(host, "Enter begins part 1");
        press(host, "t", "THE CLOCK");
        press(host, "2", "TRUTH");
        screen_expect(host, "s scribe");
        for (int k = 0; sizes[i].panes[k] && i > 0; k++)
            press(host, "\t", sizes[i].panes[k]);
        press(host, "\t", "THEIR VIEW");
        press(host, "\t", "TRUTH");
        press(host, "?", "nobody sees");
        press(host, "\x1b", "TRUTH");
        host_leaves();
    }
}

static void moves_appear_and_typing_does_not(void **state)
{
    scenario_runs();
    screen_send(candidate, "3+");
    screen_expect(host, "  3       ");             /* "3       11 to 20" among the moves */
    press(candidate, "nxylophone", "xylophone");
    press(host, "nown thought\r", "own thought");
    assert_false(host_wrote("xylophone"));
    screen_send(candidate, "\t");                  /* it is kept: a move as any other */
    screen_expect(host, "wrote   \u201cxylophone\u201d");
    screen_send(candidate, "4+");
    screen_expect(host, "  4       ");
    screen_expect(host, "9 to 17 cache thrash");
    press(host, "A", "theirs xylophone");
    press(host, "\x1b", "MOVES");
    screen_send(candidate, "5+");
    screen_expect(host, "  5       ");
    size_t n;
    assert_null(strstr(screen_bytes(candidate, &n), "own thought"));
    host_leaves();
}

static void quiet_time_shows_its_clock_alone(void **state)
{
    scenario_runs();
    press(host, "f", "left of 3:00");
    screen_send(candidate, "3++");
    screen_expect_cell(candidate, 11, 0, 0x25B8);  /* the third hypothesis is chosen there */
    press(host, "nin between\r", "in between");
    assert_false(host_wrote("  3       "));
    press(host, "f", "  3       ");
    host_leaves();
}

static void what_is_sent_arrives(void **state)
{
    scenario_runs();
    press(host, "iWhat if PCIe is fine?\r", "sent    What if PCIe");
    screen_expect(candidate, "What if PCIe is fine?");
    say_line("hint 1 of");
    screen_expect(host, "Enter sends hint 1 of");
    press(host, "\r", "hint 2 of");
    press(host, "g", "GIVE EVIDENCE");
    press(host, "w", "kept back");
    screen_send(host, "w");
    screen_expect_gone(host, "kept back");
    screen_send(host, "\r");
    screen_expect(host, " given ");
    say_line("conviction");                        /* before the commitment: said aloud */
    screen_expect(host, "said    ");
    press(host, "u", "undo    ");
    press(host, "z", "paused");
    screen_send(host, "z");
    screen_expect_gone(host, "paused");
    host_leaves();
}

/* Does the row with `row` hold `text`? */
static void screen_row_holds(struct screen *s, const char *row, const char *text, bool wanted)
{
    char line[4096];
    int y, x;
    screen_find(s, row, &y, &x);
    screen_row(s, y, line, sizeof line);
    if ((strstr(line, text) != NULL) != wanted)
        fail_msg("%s \"%s\": %s", wanted ? "no" : "there is", text, line);
}

static void the_scribe_enters_what_is_said(void **state)
{
    scenario_runs();
    press(host, "s", "SCRIBE");
    screen_send(host, "3+");
    screen_expect_cell(candidate, 11, 0, 0x25B8);
    press(host, "\x1d", "  3       scribe: ");
    screen_send(candidate, "2+");
    screen_expect(host, "  2       ");
    screen_row_holds(host, "  2       ", "scribe", false);     /* their own keys are theirs */
    host_leaves();
}

static void the_score_waits_for_the_rubric(void **state)
{
    scenario_runs();
    press(candidate, "\r", "Enter locks them");
    press(candidate, "\r", "Enter again locks");
    press(candidate, "\r", "WHERE IS IT");
    press(candidate, "\r", "What would you do about it?");
    screen_send(candidate, "1\r");
    screen_expect(host, "line ");
    screen_expect(candidate, "your estimate");
    say_line("conviction");
    screen_expect(host, "Enter sends conviction");
    press(host, "\r", "It waits: they answer a number first.");
    screen_expect(host, "a pushback waits; u takes it back");
    screen_expect(host, "1  waits");
    press(host, "u", "Taken back: the pushback that waited.");
    screen_expect_gone(host, "a pushback waits");
    screen_expect(candidate, "your estimate");
    for (int k = 0; k < 12;
         k++) /* estimates that were not asked before: skipped, as many as there are */
        screen_send(candidate, "\r");
    screen_expect(candidate, "the interviewer has the word");
    say_line("conviction");
    screen_expect(host, "Enter sends conviction");
    screen_send(host, "\r");
    screen_expect(candidate, "Enter final answer");
    press(candidate, "\r", "Enter again: beliefs are final");
    screen_send(candidate, "\r");
    screen_expect(host, "holds   ");
    press(host, "x", "x once more");
    press(host, "x", "the truth is on");
    screen_expect(candidate, "It was ");
    assert_false(host_wrote("of 100: cause"));
    press(host, "w3e3r3a3h3j3k3l3", "of 100: cause");
    screen_expect(host, "misleads");               /* it covers nothing */
    host_leaves();
}

static void a_killed_host_goes_on(void **state)
{
    scenario_runs();
    screen_send(candidate, "3+");
    screen_expect(host, "  3       ");
    press(host, "nkept\r", "kept");
    assert_int_equal(kill(screen_pid(host), SIGKILL), 0);
    screen_wait_exit(host);
    screen_free(host);
    screen_expect(candidate, "The host does not answer");
    host_resumes();
    screen_expect(host, "kept");
    screen_expect(host, "  3       ");
    screen_expect(host, "Ada, here");              /* by itself */
    screen_expect_gone(candidate, "The host does not answer"); /* a key before may be dropped */
    screen_send(candidate, "4+");
    screen_expect(host, "  4       ");
    const char *const again[] = { "host", "--resume", NULL };
    struct screen *second = start(30, 100, again); /* a second host is refused */
    assert_int_equal(WEXITSTATUS(screen_wait_exit(second)), 1);
    screen_free(second);
    screen_hang_up(host);                          /* the window is closed */
    screen_wait_exit(host);
    screen_free(host);
    host_resumes();
    screen_expect(host, "Ada, here");
    press(host, "C", "C once more");
    press(host, "C", "The interview is over.");
    screen_send(host, "Q");
    assert_int_equal(screen_wait_exit(host), 0);
    screen_free(host);
    screen_expect(candidate, "Thank you.  q leaves.");   /* the last page stays */
    screen_send(candidate, "q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(candidate)), 0);
    screen_free(candidate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_draws_at_three_sizes),
        cmocka_unit_test(moves_appear_and_typing_does_not),
        cmocka_unit_test(quiet_time_shows_its_clock_alone),
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(the_scribe_enters_what_is_said),
        cmocka_unit_test(the_score_waits_for_the_rubric),
        cmocka_unit_test(a_killed_host_goes_on),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
