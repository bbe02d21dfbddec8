/* Replay in a terminal: an interview is made in a state folder of the test's own, and looked at
 * moment by moment. */
#include <sys/stat.h>

#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "tests/scenarios/made_interview.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/tui/steps.h"

enum { STEP_MS = 10000 };
#define LEFT "\x1bOD"
#define RIGHT "\x1bOC"
#define HOME "\x1bOH"
#define END "\x1bOF"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"

static char environment_state[96];

static int begin_all(void **state)
{
    int rc = interviews_begin("replay", STEP_MS);
    snprintf(environment_state, sizeof environment_state, "XDG_STATE_HOME=%s", state_home);
    return rc;
}

static struct interview *create(void)
{
    struct session_plan p = {.title = "Kernel diagnosis",
                             .candidate = "C-07",
                             .level = 1,
                             .tier = "recorded",
                             .n_parts = 2};
    p.parts[0] = (struct session_part){.kind = PART_TALK,
                                       .minutes = 5,
                                       .title = "How you work",
                                       .ask = "Tell me how you work."};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO,
                                       .minutes = 25,
                                       .title = "Sums",
                                       .id = "small/sums/a"};
    struct interview *l = made_interview_new(p, NULL);
    set_clock(STEP_MS);
    return l;
}

/* 0:00 talk, 0:20 scenario, then a belief, evidence handed out, a hint, more beliefs, a pause of a
 * minute, a note; not closed: killed. */
static void hold(char *id, size_t size)
{
    struct interview *l = create();
    DO(interview_opened(l, "confined", NULL, &err));
    DO(interview_begin(l, 0, &err));
    DO(interview_spoke(l, "first the time, then the bytes", &err));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    DO(interview_hand(l, "memory", recorded(l, "memory"), &err));
    DO(interview_hint(l, 1, "What does one warp touch?", &err));
    press_belief(l, 0, BELIEF_MORE);
    press_belief(l, 0, BELIEF_MORE);
    DO(interview_pause(l, true, &err));
    set_clock(60000);
    DO(interview_pause(l, false, &err));
    DO(interview_note(l, "reads numbers well", false, &err));
    snprintf(id, size, "%s", interview_id(l));
    interview_free(l);
}

static struct screen *start(int rows, int columns, const char *const *arguments)
{
    const char *environment[] = {environment_state, "WARPDRILL_RUNNER=exit 3", NULL};
    const struct screen_start how = {.rows = rows,
                                     .columns = columns,
                                     .arguments = arguments,
                                     .environment = environment};
    return screen_start(&how);
}

static void every_moment_can_be_seen(void **state)
{
    char id[64];
    hold(id, sizeof id);
    struct screen *s = start(40, 110, (const char *const[]){"replay", id, "--truth", NULL});
    screen_expect(s, "stands  0:00 of 1:50");
    screen_expect(s, "replay   Kernel diagnosis");
    screen_expect(s, "Tell me how you work.");
    screen_expect_gone(s, "first the time");
    screen_send(s, END);
    screen_expect(s, "stands  1:50 of 1:50");
    screen_expect(s, "reads numbers well");
    screen_expect(s, "given");
    screen_expect(s, "What does one warp touch?");
    screen_send(s, HOME);
    screen_expect(s, "stands  0:00 of 1:50");
    screen_expect_gone(s, "reads numbers well");
    screen_send(s, PAGE_DOWN);
    screen_expect(s, "begins  How you");
    screen_send(s, PAGE_DOWN);
    screen_expect(s, "0:20 of 1:50");
    screen_expect(s, "part 2 of 2");
    screen_expect_gone(s, "given");
    screen_send(s, RIGHT);
    screen_expect(s, "25 to 40");
    screen_send(s, RIGHT);
    screen_expect(s, "given");
    screen_expect_gone(s, "hint    What");
    screen_send(s, RIGHT);
    screen_expect(s, "hint    What");
    screen_send(s, LEFT);
    screen_expect_gone(s, "hint    What");
    screen_send(s, PAGE_UP);
    screen_expect(s, "0:20 of 1:50");
    screen_send(s, "5");
    screen_expect(s, "0:55 of 1:50");
    leave(s);
    made_interview_delete(id);
}

static void it_plays_and_draws_beliefs(void **state)
{
    char id[64];
    hold(id, sizeof id);
    struct screen *s = start(
        30, 100,
        (const char *const[]){"replay", id, "--truth", "--speed", "32", "--at", "0:30", NULL});
    screen_expect(s, "stands  0:30 of 1:50  32x");
    screen_send(s, "+");
    screen_expect(s, "64x");
    screen_send(s, " ");
    screen_expect(s, "stands  1:50 of 1:50");       /* it stops at the end */
    screen_send(s, "------------");
    screen_expect(s, "0.5x");
    screen_send(s, "\t");
    screen_expect(s, "BELIEFS, %");
    screen_expect(s, "theirs: uncoalesced");
    screen_expect(s, "0:30"); /* round times below it, and no fractions of a minute */
    screen_expect(s, "min:s");
    screen_expect(s, "ideal reader");
    screen_send(s, "\t");
    screen_expect(s, "MOVES");
    leave(s);
    made_interview_delete(id);
}

static void small_screens_have_the_bar_too(void **state)
{
    static const struct { int rows, columns; } sizes[] = {{24, 80}, {20, 60}};
    char id[64];
    hold(id, sizeof id);
    for (int k = 0; k < 2; k++) {
        struct screen *s = start(sizes[k].rows, sizes[k].columns,
                                 (const char *const[]){"replay", "--at", "1:50", "--truth", NULL});
        screen_expect(s, "stands  1:50 of 1:50");
        for (int turn = 0; turn < 8; turn++)
            screen_send(s, "\t");
        screen_expect(s, "? ");
        leave(s);
    }
    made_interview_delete(id);
}

static void nothing_and_little(void **state)
{
    char id[64];
    struct screen *s = start(24, 80, (const char *const[]){"replay", NULL});
    screen_expect(s, "no interview was held here");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_free(s);
    s = start(24, 80, (const char *const[]){"replay", "--speed", "3", NULL});
    screen_expect(s, "--speed is 0.5, 1, 2");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 2);
    screen_free(s);
    s = start(24, 80, (const char *const[]){"replay", "--at", "1:99", NULL});
    screen_expect(s, "--at is a time such as");
    screen_free(s);
    struct interview *l = create();
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    s = start(30, 100, (const char *const[]){"replay", id, "--truth", NULL});
    screen_expect(s, "0:00 of 0:00");
    screen_send(s, END HOME PAGE_DOWN LEFT RIGHT "7 \t\t");
    screen_expect(s, "not begun");
    leave(s);
    made_interview_delete(id);
}

/* The program's exit status; what it says lies in `said`. */
static int run(char *said, size_t size, const char *arguments)
{
    char command[400];
    const char *program = getenv("WARPDRILL_BIN");
    snprintf(command, sizeof command, "'%s' %s 2>&1", program ? program : "build/warpdrill",
             arguments);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    said[fread(said, 1, size - 1, f)] = '\0';
    return WEXITSTATUS(pclose(f));
}

/* In a terminal it is said whose it is, and only a yes deletes. */
static void deleting_asks(const char *id)
{
    struct screen *s = start(24, 80, (const char *const[]){"host", "--delete", id, NULL});
    screen_expect(s, "Kernel diagnosis, of C-07");
    screen_expect(s, "[y/N]");
    screen_send(s, "\r");
    screen_expect(s, "It stays.");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_free(s);
}

static void reports_and_deletes(void **state)
{
    char id[64], file[128], arguments[300], said[4096];
    struct stat st;
    hold(id, sizeof id);
    assert_int_equal(run(said, sizeof said, "report --list"), 0);
    assert_true(strstr(said, id) && strstr(said, "C-07") && strstr(said, "part 2 of 2") &&
                strstr(said, "not closed") && strstr(said, " KiB"));
    assert_int_equal(run(said, sizeof said, "report"),
                     2); /* it goes on, and whoever reads this terminal would read its causes */
    assert_true(strstr(said, "is not over") && strstr(said, "--truth") && !strstr(said, "cause:"));
    assert_int_equal(run(said, sizeof said, "report --for candidate"), 0);
    snprintf(file, sizeof file, "%s/report.html", state_home);
    snprintf(arguments, sizeof arguments, "report %s --truth --out '%s'", id, file);
    assert_int_equal(run(said, sizeof said, arguments), 0);
    assert_string_equal(said, "");
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(run(said, sizeof said, "report --truth --format csv"), 0);
    assert_int_equal(strncmp(said, "table,session,candidate,part,", 29), 0);
    assert_int_equal(run(said, sizeof said, "report --for nobody"), 2);
    assert_int_equal(run(said, sizeof said, "report --format pdf"), 2);
    assert_int_equal(run(said, sizeof said, "report --truth --out /nowhere/at/all.md"), 1);
    snprintf(arguments, sizeof arguments, "host --delete %s", id);
    assert_int_equal(run(said, sizeof said, arguments), 2);
    assert_non_null(strstr(said, "--yes deletes without a question"));
    deleting_asks(id);
    snprintf(arguments, sizeof arguments, "host --delete %s --yes", id);
    assert_int_equal(run(said, sizeof said, arguments), 0);
    assert_non_null(strstr(said, "Reports that were written elsewhere are not touched"));
    snprintf(arguments, sizeof arguments, "%s/warpdrill/sessions/%s", state_home, id);
    assert_int_not_equal(stat(arguments, &st), 0);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(run(said, sizeof said, "report"), 1);
    assert_int_equal(unlink(file), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_moment_can_be_seen),
        cmocka_unit_test(it_plays_and_draws_beliefs),
        cmocka_unit_test(small_screens_have_the_bar_too),
        cmocka_unit_test(nothing_and_little),
        cmocka_unit_test(reports_and_deletes),
    };
    return RUN_CASES(tests, begin_all, interviews_end);
}
