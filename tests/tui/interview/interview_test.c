/* A whole interview, both sides in terminals, one program each: everything that the two can do to
 * each other, then what the log holds of it. */
#include "tests/tui/interview/interview.h"
#include "scenarios/interview/interview_life.h"

static struct screen *host, *guest;

static void begin_interview(void)
{
    static const char *const words[] = {"--start", "--seed",    "5",  "--level",
                                        "1",       "--minutes", "60", NULL};
    char code[32];
    host = host_waits(words, NULL, code, sizeof code);
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(guest, "The interviewer begins");
    screen_expect(host, "candidate Ada, here");
}

/* What is said is written down by the interviewer, on the candidate's screen. */
static void talk(void)
{
    press(host, "\r", "WRITTEN DOWN");
    screen_expect(guest, "Tell me how you approach");
    press(host, "s", "SCRIBE");
    press(host, "n", "Tab keep");
    screen_send(host, "time first, then bytes\t");
    screen_expect(guest, "Noted.");
    screen_expect(guest, "time first, then bytes");
    press(host, "\x1d", "SAY NEXT");
    screen_expect(host, "time first, then bytes");
    press(host, "nwarm and clear\r", "warm and clear");
    assert_false(is_on(guest, "warm and clear"));
}

/* Evidence is kept back and handed out, a curveball and a hint are sent, and one of them is taken
 * back. */
static void steer(void)
{
    press(host, "g", "Run it under compute-sanitizer");
    press(host, "jjjjjw", "kept back");
    press(host, "jj\r", "w given");
    screen_expect(guest, "handed to you");
    press(host, "iPCIe is fine\r", "sent    PCIe is fine");
    screen_expect(guest, "interviewer: PCIe is fine");
    press(host, "6", "Enter sends hint 1 of 3");
    assert_false(is_on(guest, "a hint: "));
    press(host, "\r", "hint 2 of 3");
    screen_expect(guest, "a hint: ");
    press(host, "inever mind\r", "sent    never mind");
    screen_expect(guest, "interviewer: never mind");
    screen_send(host, "u");
    screen_expect_gone(guest, "never mind");
}

static void buy(void)
{
    press(guest, "m", "the interviewer keeps it back for now");
    press(guest, "t", "your estimate");
    press(guest, "banana\r", "Not counted. No number could be read");
    press(guest, "\x15" "130 us\r", "time, cold L2");
    screen_expect(host, "130 ");
    screen_send(guest, "1+++");
    screen_expect(guest, "47");
    screen_expect(host, "47");
    press(guest, "nodd strides", "Tab keep");
    assert_false(is_on(host, "odd strides"));
    press(guest, "\t", "Noted.");
    screen_expect(host, "wrote   \u201codd strides\u201d");
}

static void pause_between(void)
{
    press(host, "z", "paused");
    screen_expect(guest, "On pause");
    press(guest, "w", "no key does anything");
    screen_send(host, "z");
    screen_expect_gone(guest, "On pause");
}

static void commit(void)
{
    press(guest, "\r", "Enter lock");
    press(guest, "\r", "WHERE IS IT");
    press(guest, "\r", "HOW WOULD YOU FIX IT");
    press(guest, "2\r", "your estimate");
    screen_send(guest, "2097152\r");
    screen_expect(guest, "Beliefs, line and fix are locked");
    screen_expect(host, "line 13");
    press(host, "1", "Enter sends conviction to their screen");
    assert_false(is_on(guest, "fire and forget"));
    press(host, "\r", "The pushback is on their screen.");
    screen_expect(guest, "fire and forget");
    screen_send(guest, "-\r");
    screen_expect(guest, "Your beliefs are final.");
}

/* The score stands on neither screen before the rubric is filled, and on the candidate's only when
 * it is released. */
static void reveal(void)
{
    press(host, "x", "x once more");
    assert_false(is_on(guest, "debrief"));
    screen_send(host, "x");
    screen_expect(guest, "The interviewer will release the score.");
    assert_false(is_on(host, "of 100"));
    screen_send(host, "w3e2r4a1h1j2k1");
    press(host, "n", "note:");
    assert_false(is_on(host, "of 100"));
    screen_send(host, "\x1b");
    press(host, "l1", "of 100");
    assert_false(is_on(guest, "of 40"));
    press(host, "R", "R once more");
    screen_send(host, "R");
    screen_expect(guest, "Your scores are released");
    screen_send(guest, "1");
    screen_expect_gone(guest, "Your scores are released"); /* the key has come: none is left for the
                                                              next question */
    screen_expect(guest, "of 40");
}

static void drills(void)
{
    press(host, "t2", "Enter");
    screen_expect(guest, "The interviewer asks the next question");
    screen_send(host, "\r");
    screen_expect(guest, "your answer");
    press(guest, "\r", "Enter again skips it");
    screen_send(guest, "\r");
    screen_expect(guest, "1 answered");
}

static void part_for_good(void)
{
    press(host, "C", "C once more");
    screen_send(host, "C");
    screen_expect(host, "over");
    screen_expect(guest, "The interview is over. Thank you. q leaves.");
    screen_expect(guest, "Your scores are released");
    screen_expect(guest, " of 100 ");
    screen_expect(guest, "1 answered, 0.00 of 1 points");
    screen_send(host, "Q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(host)), 0);
    screen_expect(guest, "The interview is over. Thank you.  q leaves."); /* the last page stays */
    assert_false(is_on(guest, "\xe2\x80\xa6"));       /* and nothing of it is cut */
    assert_true(is_on(guest, " of 100 "));
    press(guest, "xn?\r", " of 100 ");
    screen_send(guest, "q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(guest)), 0);
    screen_expect(guest, "The interview is over. Thank you.");
}

/* ---- what is kept of it ---- */

static int count(struct interview *log, enum session_kind kind, bool undone)
{
    const struct session *s = interview_session(log);
    int n = 0;
    for (int k = 0; k < s->events; k++)
        n += s->log[k]->kind == kind && s->log[k]->undone == undone;
    return n;
}

static void the_session_is_kept(struct interview *log)
{
    const struct session *s = interview_session(log);
    const struct session_state *part = &s->parts[1];
    assert_true(s->phase == SESSION_OVER && s->released && session_rated(s));
    assert_string_equal(s->parts[0].talk, "time first, then bytes");
    assert_true(part->finished && part->revealed);
    assert_int_equal(part->n_lines, 2);
    assert_string_equal(part->lines[0].text, "PCIe is fine");
    assert_int_equal(part->lines[1].kind, SESSION_HINTED);
    assert_int_equal(part->n_handed, 1);
    assert_string_equal(part->handed[0], "stalls");
    assert_string_equal(part->withheld[0], "memory");
    assert_int_equal(s->n_notes, 1);
    assert_false(s->notes[0].share);
    assert_int_equal(session_grade(s, s->plan.signals[0].id), 3);
    assert_int_equal(s->parts[2].n_drills, 1);
    assert_string_equal(s->parts[2].drills[0].how, "skipped");
    assert_int_equal(count(log, SESSION_INJECTED, true), 1);
    assert_int_equal(count(log, SESSION_JOINED, false), 1);
    assert_int_equal(count(log, SESSION_PAUSED, false), 1);
    assert_int_equal(count(log, SESSION_REVEALED, false), 1);
    assert_int_equal(count(log, SESSION_CLOSED, false), 1);
}

static void the_attempt_is_kept(struct interview *log)
{
    struct err err = { 0 };
    struct attempt *a = interview_attempt_of(log, 1, &err);
    if (!a)
        fail_msg("%s", err.text);
    const struct investigation *i = attempt_state(a);
    assert_int_equal(i->phase, PHASE_REVEALED);
    assert_int_equal(i->n_bought, 2);
    assert_string_equal(i->bought[0].probe, "stalls");
    assert_string_equal(i->bought[1].probe, "timing");
    assert_int_equal(i->price, 1);
    assert_int_equal(i->n_estimates, 2);
    assert_string_equal(i->note, "odd strides");
    assert_int_equal(i->points[0], 31);
    assert_int_equal(i->pushback, 0);
    assert_non_null(attempt_debrief(a));
}

/* `warpdrill report` tells the same. */
static void the_report_tells(struct interview *log)
{
    char command[512];
    json_error_t where;
    const char *program = getenv("WARPDRILL_BIN");
    snprintf(command, sizeof command, "'%s' report --format json %s",
             program && *program ? program : "build/warpdrill", interview_id(log));
    FILE *out = popen(command, "r");
    assert_non_null(out);
    json_t *report = json_loadf(out, 0, &where);
    if (pclose(out) != 0 || !report)
        fail_msg("%s: %s", command, where.text);
    const json_t *parts = json_object_get(report, "parts"),
                 *scenario = json_object_get(json_array_get(parts, 1), "scenario");
    assert_string_equal(json_string_value(json_object_get(report, "state")), "over");
    assert_int_equal(json_array_size(parts), 5);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 0), "talk")),
                        "time first, then bytes");
    assert_int_equal(json_array_size(json_object_get(report, "lines")),
                     3); /* one was taken back, and had been read */
    assert_int_equal(json_array_size(json_object_get(report, "notes")), 1);
    assert_int_equal(json_array_size(json_object_get(report, "pauses")), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(parts, 2), "drills")), 1);
    assert_int_equal(json_array_size(json_object_get(scenario, "estimates")), 2);
    assert_string_equal(json_string_value(json_object_get(scenario, "note")), "odd strides");
    assert_non_null(json_object_get(scenario, "score"));
    json_decref(report);
}

static void a_whole_interview(void **state)
{
    begin_interview();
    talk();
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "this kernel");
    steer();
    buy();
    pause_between();
    commit();
    reveal();
    drills();
    part_for_good();
    screen_free(guest);
    screen_free(host);
    struct interview *log = log_open();
    the_session_is_kept(log);
    the_attempt_is_kept(log);
    the_report_tells(log);
    interview_free(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_whole_interview) };
    return RUN_CASES(tests, in_place, out_of_place);
}
