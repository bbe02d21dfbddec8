/* What outlives a host that is killed, a pushback that waits and the clock; and a reveal before
 * anybody pushed back. */
#include "scenarios/report/session_report.h"
#include "scenarios/interview/interview_life.h"
#include "tests/tui/interview/pair.h"

#include <signal.h>

static void host_is_killed(void)
{
    static const char *const again[] = { "--no-wall", "--resume", NULL };
    assert_int_equal(kill(screen_pid(host), SIGKILL), 0);
    screen_wait_exit(host);
    screen_free(host);
    screen_expect(guest, "The host does not answer");
    host = host_screen(again, NULL);
    screen_expect(host, "candidate Ada, here");
    screen_expect_gone(guest, "The host does not answer"); /* a key typed before may be dropped */
}

static void they_lock(void)
{
    press(guest, "\r", "Enter lock");
    press(guest, "\r", "Enter again locks");
    press(guest, "\r", "WHERE IS IT");
    press(guest, "\r", "HOW WOULD YOU FIX IT");
    press(guest, "2\r", "your estimate");
}

static void they_skip(const char *then)
{
    press(guest, "\r", "Enter again skips it");
    press(guest, "\r", "How many store requests");
    press(guest, "\r", "Enter again skips it");
    press(guest, "\r", then);
}

/* Seconds that the part has left, as the host's first row says. */
static int seconds_left(void)
{
    char row[800];
    int minutes = 0, seconds = 0;
    screen_expect(host, " left of 25:00");
    screen_row(host, 0, row, sizeof row);
    const char *at = strstr(row, " left of");
    while (at > row && at[-1] != ' ')
        at--;
    assert_int_equal(sscanf(at, "%d:%d left", &minutes, &seconds), 2);
    return 60 * minutes + seconds;
}

/* ---- cases ---- */

static void a_pushback_that_waits_outlives_its_host(void **state)
{
    scenario_begins();
    they_lock();
    press(host, "1", "Enter sends conviction");
    press(host, "\r", "a pushback waits; u takes it back");
    screen_expect(host, "waits   a pushback, until they have answered");
    host_is_killed();
    screen_expect(host, "a pushback waits; u takes it back");
    they_skip("fire and forget");
    screen_expect(host, "pushed  conviction");
    screen_expect_gone(host, "a pushback waits");
    both_leave();
}

static void a_pushback_that_waits_is_taken_back_after_a_kill(void **state)
{
    scenario_begins();
    they_lock();
    press(host, "1", "Enter sends conviction");
    press(host, "\r", "a pushback waits; u takes it back");
    host_is_killed();
    press(host, "u", "Taken back: the pushback that waited.");
    screen_expect_gone(host, "u takes it back");
    host_is_killed();
    they_skip("the interviewer has the word");
    assert_false(is_on(host, "a pushback waits"));
    assert_false(is_on(guest, "fire and forget"));
    both_leave();
}

/* Between two ticks of the session, which are ten seconds apart. */
static void the_clock_outlives_its_host(void **state)
{
    scenario_begins();
    for (int round = 0; round < 3; round++) {
        int begin = seconds_left();
        while (seconds_left() > begin - 3)
            screens_take(20);
        int shown = seconds_left();
        host_is_killed();
        assert_in_range(seconds_left(), shown - 20, shown);
    }
    both_leave();
}

/* Released before anything is graded, and revealed before anybody pushed back: nobody is told of a
 * pushback, and all read the same of the score. */
static void what_nobody_asked_is_not_told(void **state)
{
    scenario_begins();
    press(host, "R", "R once more shows scores to both of you: 0 of 8 are graded.");
    press(host, "R", "release ");
    they_lock();
    they_skip("the interviewer has the word");
    press(host, "x", "x once more");
    press(host, "x", "reveal  the truth is on their screen");
    screen_expect(guest, "It was uncoalesced access");
    screen_expect(guest, "of 100");
    screen_expect(host, "of 100");                 /* beside TRUTH: no secret any more */
    screen_expect(host, "not found, at 10 %");
    assert_false(is_on(guest, "conviction"));
    assert_false(is_on(host, "holds   "));
    struct interview *log = log_open();
    json_t *report = report_make(log, false);
    char *text = report_write(report, REPORT_MARKDOWN);
    assert_null(strstr(text, "answered it"));
    assert_null(strstr(text, "test of conviction"));
    assert_null(strstr(text, "withheld until"));
    assert_non_null(strstr(text, "Score: "));
    assert_non_null(
        strstr(text, "**causes found** 0 of 1: uncoalesced access not found, at 10 % ("));
    free(text);
    json_decref(report);
    interview_free(log);
    both_leave();
}

static void a_drill_is_read_before_it_is_asked(void **state)
{
    char row[800], words[40];
    int y, x;
    scenario_begins();
    press(host, "x", "x once more");
    press(host, "x", "reveal  the truth is on their screen");
    press(host, "t2", "DRILLS ASKED");
    screen_expect(host, " 1  drill         ");
    assert_true(screen_find(host, " 1  drill         ", &y, &x));
    screen_row(host, y, row, sizeof row);
    const char *ask = strstr(row, "drill         ") + strlen("drill         ");
    assert_null(memchr(ask, '/', strcspn(ask, " ")));      /* no "moe/dispatch-time" */
    snprintf(words, sizeof words, "%.24s", ask);
    assert_false(is_on(guest, words));
    press(host, "1", "Enter sends drill to their screen");
    press(host, "\r", "not answered yet");
    screen_expect(guest, words);                   /* the same question, with the same numbers */
    both_leave();
}

static void a_question_of_talk_stands_whole(void **state)
{
    static const char *const words[] = {"--no-wall", "--start", "--seed", "5",
                                        "--level",   "1",       NULL};
    host = host_screen(words, NULL);
    screen_expect(host, "Enter begins part 1");
    screen_resize(host, 24, 80);
    press(host, "\r", "Enter once more begins");
    press(host, "\r", "WRITTEN DOWN");
    screen_expect(host, "Tell me how you approach a kernel that is slower");
    screen_expect(host, "look at first, and why that?");
    press(host, "b", "brief 1 of ");
    for (int page = 1; page < 9 && !is_on(host, "THE STORY"); page++) {
        char next[16];
        snprintf(next, sizeof next, "brief %d of", page + 1);
        press(host, "\t", next);
    }
    screen_expect(host, "THE STORY");
    press(host, "\x1b", "SAY NEXT");
    press(host, "b", "brief 1 of ");
    press(host, "q", "SAY NEXT");        /* and the interview goes on */
    host_leaves(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pushback_that_waits_outlives_its_host),
        cmocka_unit_test(a_pushback_that_waits_is_taken_back_after_a_kill),
        cmocka_unit_test(the_clock_outlives_its_host),
        cmocka_unit_test(what_nobody_asked_is_not_told),
        cmocka_unit_test(a_drill_is_read_before_it_is_asked),
        cmocka_unit_test(a_question_of_talk_stands_whole),
    };
    return RUN_CASES(tests, in_place, out_of_place);
}
