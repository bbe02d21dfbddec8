/* What an interviewer under pressure needs of the console: grades that are read before they are
 * given, now or when all is over, digits that stay, notes of both sides, and a word where the
 * candidate is missing. */
#include "tests/tui/interview/interview.h"
#include "scenarios/interview/interview_life.h"

static struct screen *host;
static struct session_plan rubric;

static void host_begins(void)
{
    static const char *const words[] = { "--start", "--seed", "5", "--level", "1", NULL };
    host = host_screen(words, NULL);
    screen_expect(host, "Enter begins part 1");
    screen_resize(host, 30, 100);
    screen_expect(host, "? help");
}

/* Nobody joins: the second part, a scenario, runs all the same. */
static void scenario_begins(void)
{
    host_begins();
    press(host, "\r", "Enter once more begins");
    press(host, "\r", "part 1 of");
    press(host, "t", "THE CLOCK");
    press(host, "2", "only on this screen");
}

static int grade_of(const char *signal)
{
    struct interview *log = log_open();
    int grade = session_grade(interview_session(log), signal);
    interview_free(log);
    return grade;
}

static void anchors_stand(const struct session_signal *s)
{
    for (int k = 0; k < SESSION_MAX_ANCHORS; k++)
        screen_expect(host, s->anchors[k]);
}

/* The character `before` columns left of this text. */
static char digit_before(const char *text, int before)
{
    int row, column;
    screen_expect(host, text);
    assert_true(screen_find(host, text, &row, &column));
    return (char)screen_cell(host, row, column - before).chars[0];
}

/* ---- cases ---- */

static void a_letter_shows_what_grades_mean(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };
    const struct session_signal *updates = &rubric.signals[3];
    char given[128];
    scenario_begins();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        screen_resize(host, sizes[k].rows, sizes[k].columns);
        press(host, "a", "GRADE");
        screen_expect(host, updates->title);
        anchors_stand(updates);
        press(host, "7", "1 to 4 grade it");
        snprintf(given, sizeof given, "%d: %.12s", (int)k + 2, updates->anchors[k + 1]);
        assert_int_equal(grade_of("updates"), k ? (int)k + 1 : 0);      /* looked at, not given */
        press(host, "1", "1: ");
        press(host, (char[]){(char)('2' + k), 0}, given); /* the row stayed: corrected */
        screen_expect(host, "GRADE");
        assert_int_equal(grade_of("updates"), (int)k + 2);
        screen_send(host, "\x1b");
        screen_expect_gone(host, "GRADE");
    }
    press(host, "a", "GRADE");
    press(host, "a", "no grade"); /* the letter again: one more, and after 4 none */
    press(host, "\x1bOB", rubric.signals[4].title);
    anchors_stand(&rubric.signals[4]);
    screen_send(host, "\x1b");
    screen_expect_gone(host, "GRADE");
    host_leaves(host);
}

static void titles_and_keys_stand_whole(void **state)
{
    scenario_begins();
    screen_resize(host, 24, 80);
    screen_expect(host, "letter: the grades");
    for (int k = 0; k < rubric.n_signals; k++)
        screen_expect(host, rubric.signals[k].title);
    screen_expect(host, "Tab view");
    screen_expect(host, "hint 1 of 3");
    screen_resize(host, 20, 60);
    screen_expect(host, "Tab view");
    host_leaves(host);
}

static void a_digit_means_one_line(void **state)
{
    static const char *const labels[] = {"conviction", "correction", "red herring", "number 1 of 2",
                                         "hint 1 of 3"};
    char digits[5], hidden[2] = { 0 };
    scenario_begins();
    for (int k = 0; k < 5; k++)
        digits[k] = digit_before(labels[k], 3);
    press(host, "S", "hint 3 of 3");
    for (int k = 0; k < 5; k++)
        assert_int_equal(digit_before(labels[k], 2), digits[k]);
    hidden[0] = digit_before("hint 2 of 3", 2);
    press(host, "\x1b", "MOVES");
    press(host, hidden, "is hint 2 of 3, not shown now");
    press(host, (char[]){ digits[4], 0 }, "Enter sends hint 1 of 3 to their screen");
    press(host, "\x1b", "MOVES");
    screen_expect_gone(host, "Enter sends hint");
    press(host, (char[]){ digits[4], 0 }, "Enter sends hint 1 of 3 to their screen");
    screen_send(host, "\r");
    screen_expect_gone(host, "Enter sends hint");
    assert_int_equal(digit_before("hint 2 of 3", 3), hidden[0]);
    press(host, (char[]){digits[4], 0},
          "is hint 1 of 3, not shown now"); /* pressed twice: no second hint */
    struct interview *log = log_open();
    assert_int_equal(interview_session(log)->parts[1].n_lines, 1);
    interview_free(log);
    host_leaves(host);
}

static void notes_stand_side_by_side_and_in_full(void **state)
{
    static const char wordy[] = "came back to bytes after the first hint, by himself, and then "
                                "gave both numbers with their units";
    int row, column;
    char text[400];
    scenario_begins();
    press(host, "nbytes first\r", "bytes first");
    press(host, "Nclear steps\r", "shared: clear steps");
    press(host, "nunits slip\r", "units slip");
    screen_expect(host, "bytes first");
    assert_true(screen_find(host, "units slip", &row, &column));
    screen_row(host, row, text, sizeof text);
    assert_non_null(strstr(text, "bytes first"));
    assert_non_null(strstr(text, "clear steps"));
    screen_send(host, "n");
    screen_send(host, wordy);
    press(host, "\r", "4 notes, A reads all");
    screen_resize(host, 20, 60);
    press(host, "A", "bytes first");
    screen_expect(host, "with their units");
    press(host, "\x1b", "2/5");
    host_leaves(host);
}

static void a_part_waits_for_the_candidate(void **state)
{
    host_begins();
    screen_expect(host, "The candidate is not here.");
    press(host, "\r", "Enter once more begins");
    press(host, "c", "HOW THEY JOIN");
    press(host, "\x1b", "Enter begins part 1");
    press(host, "\r", "Enter once more begins");     /* something else came between: asked again */
    press(host, "p", "PARTS");
    press(host, "\x1bOB\r", "Enter once more begins");
    press(host, "\r", "part 2 of");
    host_leaves(host);
    host_begins();
    press(host, "s", "SCRIBE");                      /* one screen for both */
    press(host, "\x1d", "Enter begins part 1");
    press(host, "\r", "part 1 of");
    host_leaves(host);
}

static void the_brief_names_its_letters(void **state)
{
    host_begins();
    press(host, "b", "WHAT SETTLES");
    screen_expect(host, "sectors per store request  32; with the fix 4"); /* a label is not cut */
    screen_expect(host, "m memory ");
    screen_expect(host, "m memory + w stalls, 6 min");
    screen_expect(host, "letters ");
    screen_expect(host, "t timing, r resource");
    press(host, "\t", "WHAT TO SAY");
    screen_expect(host, "0.112 ms; take 97.0");
    screen_send(host, "\x1b");
    screen_expect(host, "Enter begins part 1");
    host_leaves(host);
}

/* ---- after the end ---- */

static json_t *report_of(const char *id)
{
    char command[512];
    const char *program = getenv("WARPDRILL_BIN");
    snprintf(command, sizeof command, "'%s' report --format json %s",
             program && *program ? program : "build/warpdrill", id);
    FILE *out = popen(command, "r");
    json_t *report = out ? json_loadf(out, 0, NULL) : NULL;
    assert_int_equal(out ? pclose(out) : -1, 0);
    assert_non_null(report);
    return report;
}

static void late_grades_are_kept(const char *id)
{
    struct interview *log = log_open();
    const struct session *s = interview_session(log);
    assert_string_equal(interview_id(log), id);
    assert_true(s->phase == SESSION_OVER && s->released);
    assert_int_equal(s->n_notes, 0);
    assert_int_equal(session_grade(s, "space"), 3);
    assert_int_equal(session_graded_late(s, "space"), 0);
    assert_int_equal(session_grade(s, "foresees"), 2);
    assert_true(session_graded_late(s, "foresees") > s->began_ms);
    interview_free(log);
    json_t *report = report_of(id), *rows = json_object_get(report, "rubric");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 1), "grade")), 2);
    assert_null(json_object_get(json_array_get(rows, 0), "late"));
    assert_non_null(json_object_get(json_array_get(rows, 1), "late"));
    json_decref(report);
}

static void what_is_over_is_graded_later(void **state)
{
    char id[64];
    const char *const again[] = { "--resume", id, NULL };
    scenario_begins();
    press(host, "w3", "3: four or more");
    press(host, "R", "R once more shows scores to both of you: 1 of 8 are graded.");
    press(host, "C", "C once more: over; grades given later know the scores.");
    press(host, "C", "1 of 8 rows are graded.");
    screen_word(host, "warpdrill host --resume ", id, sizeof id);
    screen_send(host, "q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(host)), 0);
    screen_free(host);
    host = host_screen(again, NULL);
    screen_expect(host, "Grades given now are kept");
    anchors_stand(&rubric.signals[1]);               /* the first row without a grade */
    press(host, "1", "1: ");
    press(host, "2", "2: ");                         /* the row stays until Enter */
    press(host, "\r", rubric.signals[2].anchors[0]);
    screen_expect(host, "2 of 8 rows");
    press(host, "\x1b", "SAY NEXT");
    for (const char *k = "nNzsgtipd1"; *k; k++)
        press(host, (char[]){ *k, 0 }, "only grades and R");
    press(host, "e", "given after the end: ");
    press(host, "\x1b", "SAY NEXT");
    press(host, "R", "R once more");
    press(host, "R", "release ");
    screen_send(host, "q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(host)), 0);
    screen_free(host);
    late_grades_are_kept(id);
}

static int begin(void **state)
{
    session_rubric_builtin(&rubric);
    return in_place(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_letter_shows_what_grades_mean),
        cmocka_unit_test(titles_and_keys_stand_whole),
        cmocka_unit_test(a_digit_means_one_line),
        cmocka_unit_test(notes_stand_side_by_side_and_in_full),
        cmocka_unit_test(a_part_waits_for_the_candidate),
        cmocka_unit_test(the_brief_names_its_letters),
        cmocka_unit_test(what_is_over_is_graded_later),
    };
    return RUN_CASES(tests, begin, out_of_place);
}
