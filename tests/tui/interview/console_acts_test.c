/* What an interviewer does by a slip of a finger, and what the console says of it: nothing goes out
 * by a digit, u takes the last act back and nothing beyond it, parts that are done ask, the truth
 * of an earlier scenario can still be shown. And what MOVES and SAY NEXT say of numbers. */
#include "tests/tui/interview/pair.h"
#include "scenarios/interview/interview_life.h"

/* The line and the fix are in; the estimates were skipped. */
static void they_commit(void)
{
    press(guest, "\r", "Enter lock");
    press(guest, "\r", "Enter again locks");
    press(guest, "\r", "WHERE IS IT");
    press(guest, "\r", "HOW WOULD YOU FIX IT");
    press(guest, "2\r", "your estimate");
    press(guest, "\r", "Enter again skips it");
    press(guest, "\r", "How many store requests");
    press(guest, "\r", "Enter again skips it");
    press(guest, "\r", "the interviewer has the word");
}

static int kept(enum session_kind kind)
{
    struct interview *log = log_open();
    const struct session *s = interview_session(log);
    int n = 0;
    for (int k = 0; k < s->events; k++)
        n += s->log[k]->kind == kind && !s->log[k]->undone;
    interview_free(log);
    return n;
}

/* The row on which `text` stands. */
static void row_of(struct screen *s, const char *text, char *out, size_t size)
{
    int row, column;
    screen_expect(s, text);
    assert_true(screen_find(s, text, &row, &column));
    screen_row(s, row, out, size);
}

/* ---- cases ---- */

/* A digit too many while one grades neither grades another row nor sends a hint or a pushback. */
static void a_digit_sends_nothing(void **state)
{
    scenario_begins();
    press(host, "w3", "names the space before buying, 3:");
    press(host, "2", "names the space before buying, 2:");
    press(host, "\x1b", "SAY NEXT");
    press(host, "6", "Enter sends hint 1 of 3 to their screen: ");
    press(host, "n", "note:"); /* something else: it is not sent by the Enter that follows */
    press(host, "a slip\r", "a slip");
    screen_expect_gone(host, "Enter sends hint");
    press(host, "\r?", "HOW THIS WORKS"); /* help: the Enter was heard, and did nothing */
    press(host, "\x1b", "SAY NEXT");
    assert_int_equal(kept(SESSION_HINTED), 0);
    press(host, "S", "hint 3 of 3");
    press(host, "7", "Enter says it");               /* in the list too a digit only marks */
    press(host, "\x1b", "MOVES");
    assert_int_equal(kept(SESSION_HINTED), 0);
    press(host, "4", "SAY NEXT");                    /* reaches nobody: said at once */
    screen_expect(host, "said    How long");
    press(host, "6", "Enter sends hint 1 of 3");
    press(host, "\r", "hint    Follow the bytes");
    screen_expect(guest, "a hint: ");
    assert_int_equal(kept(SESSION_HINTED), 1);
    both_leave();
}

static void the_last_act_alone_goes_back(void **state)
{
    scenario_begins();
    press(host, "6", "Enter sends hint");
    press(host, "\r", "hint    Follow");
    press(host, "inever mind\r", "sent    never mind");
    press(host, "u", "undo    sent: never mind");
    press(host, "u", "u once more takes back what is older");
    press(host, "z", "paused");                      /* something else */
    press(host, "u", "A pause is not taken back by u; z goes on.");
    press(host, "z", "goes on");
    assert_int_equal(kept(SESSION_HINTED), 1);
    they_commit();
    press(host, "1", "Enter sends conviction");
    press(host, "\r", "pushed  conviction");
    press(host, "u", "A pushback cannot be taken back: they have read it.");
    assert_int_equal(kept(SESSION_HINTED), 1);
    press(host, "p", "PARTS");
    press(host, "5\r", "Part 2 is not finished. Enter once more leaves it.");
    press(host, "\r", "part 5 of 5");
    press(host, "u", "A part that has begun cannot be taken back");
    press(host, "u", "u once more takes back what is older");
    screen_expect(host, "part 2), hint: Follow the bytes");
    assert_int_equal(kept(SESSION_HINTED), 1);
    press(host, "u", "undo    hint: Follow the bytes");
    assert_int_equal(kept(SESSION_HINTED), 0);
    press(host, "u", "There is nothing to take back.");
    both_leave();
}

static void a_part_that_is_done_asks(void **state)
{
    char row[800];
    scenario_begins();
    press(host, "p", "PARTS");
    screen_expect(host, "\u25b8 3  ");
    press(host, "5", "\u25b8 5  ");
    press(host, "\r", "Part 2 is not finished. Enter once more leaves it.");
    assert_int_equal(kept(SESSION_BEGAN), 2);
    press(host, "\r", "part 5 of 5");
    screen_expect_gone(host, "PARTS");
    press(host, "p", "PARTS"); /* the last one runs: the cursor stays on it, and not on the first */
    row_of(host, "5 min, runs", row, sizeof row);
    assert_non_null(strstr(row, "\u25b8 5  "));
    press(host, "1", "\u25b8 1  ");
    press(host, "\r", "Part 1 is done. Enter once more begins it again");
    press(host, "\x1bOB", "\u25b8 2  ");
    press(host, "\r",
          "Part 2 is done. Enter once more begins it again"); /* another one: asked again */
    press(host, "\x1b", "part 5 of 5");
    assert_int_equal(kept(SESSION_BEGAN), 3);
    press(host, "p1\r", "Part 1 is done");
    press(host, "\r", "part 1 of 5");
    both_leave();
}

static void the_truth_of_an_earlier_part(void **state)
{
    both_begin();
    press(host, "x", "There is nothing to reveal");
    press(host, "\r", "WRITTEN DOWN");
    press(host, "x", "There is nothing to reveal");
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "this kernel");
    press(host, "x",
          "x once more shows the truth of part 2; beliefs count as they are, line and fix not at");
    press(host, "p5\r", "Part 2 is not finished");   /* not revealed */
    press(host, "\r", "part 5 of 5");
    screen_expect(guest, "What would you like to know?");
    press(host, "x",
          "x once more shows the truth of part 2; beliefs count as they are, line and fix not at");
    assert_false(is_on(guest, "debrief"));
    press(host, "x", "reveal  the truth of part 2 is on their screen");
    screen_expect(guest, "debrief");
    screen_expect(guest, "It was uncoalesced access");
    screen_expect(host, "locks   beliefs as they stand"); /* and nobody said what was not asked */
    assert_false(is_on(host, "not asked"));
    press(host, "x", "There is nothing to reveal");
    press(host, "iYour turn to ask\r", "sent    Your turn to ask");
    screen_expect(guest, "What would you like to know?");
    screen_expect(guest, "Your turn to ask");
    press(host, "u", "undo    sent: Your turn");
    screen_expect(guest, "It was uncoalesced access");
    both_leave();
}

/* Between two parts nothing runs, and the truth of the one before is shown all the same. */
static void the_truth_between_parts(void **state)
{
    scenario_begins();
    press(host, "t1", "Part 2 is not finished. Enter once more ends it");
    press(host, "1", "part 2 of 5 is done");
    screen_expect(guest, "This part is over.");
    press(host, "x", "the truth of part 2");
    press(host, "x", "reveal  the truth is on their screen");
    screen_expect(guest, "It was uncoalesced access");
    press(host, "\r", "part 3 of 5");
    screen_expect(guest, "The interviewer asks the next question");
    both_leave();
}

static void nothing_is_said_after_the_reveal(void **state)
{
    scenario_begins();
    press(host, "x", "x once more");
    press(host, "x", "reveal  the truth is on their screen");
    screen_expect(guest, "It was uncoalesced access");
    screen_expect(host, "Nothing: the truth is on their screen.");
    screen_expect_gone(host, "hint 1 of 3");
    press(host, "6", "nothing of SAY NEXT is left");
    press(host, "S", "or the truth is out");
    assert_int_equal(kept(SESSION_HINTED), 0);
    both_leave();
}

/* What is read aloud stands apart from what is not, at each size. */
static void aloud_and_private_stand_apart(void **state)
{
    static const struct {
        int rows, columns;
        const char *range;
    } sizes[] = {{44, 160, "0.112 ms; take "},
                 {30, 100, "0.112 ms; take "},
                 {24, 80, "take "},
                 {20, 60, "take "}};
    char row[800];
    scenario_begins();
    row_of(host, "Look at the loads again.", row, sizeof row);
    assert_null(strstr(row, "No new fact"));
    row_of(host, "No new fact was offered.", row, sizeof row);
    assert_non_null(strstr(row, "\u2514 No new fact"));
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        screen_resize(host, sizes[k].rows, sizes[k].columns);
        for (int turn = 0; sizes[k].columns == 60 && turn < 3; turn++)
            press(host, "\t", turn == 0 ? "BELIEFS" : turn == 1 ? "MOVES" : "SAY NEXT");
        row_of(host, sizes[k].range, row, sizeof row);
        if (sizes[k].columns > 60)
            assert_non_null(strstr(row, "number 1 of 2"));
    }
    both_leave();
}

/* What they are asked now stands there with its range, whichever number is next and whether it was
 * said or not. */
static void the_number_that_is_answered_stands_there(void **state)
{
    scenario_begins();
    screen_resize(host, 30, 100);
    screen_resize(guest, 24, 80);
    screen_expect(host, "number 1 of 2");
    press(guest, "m", "How many store requests");
    screen_expect(host, "asked 2 of 2");
    screen_expect_gone(host, "number 1 of 2");
    press(host, "5", "said ");
    screen_expect(host, "asked 2 of 2");
    press(guest, "\x1b", "m was not bought.");
    screen_expect(host, "number 1 of 2");
    screen_expect_gone(host, "asked 2 of 2");
    press(guest, "t", "your estimate");
    screen_expect(host, "asked 1 of 2");
    press(host, "f", "left of 3:00");    /* nobody looks, nor learns what they are asked */
    screen_expect_gone(host, "asked 1 of 2");
    both_leave();
}

static void moves_judge_numbers(void **state)
{
    scenario_begins();
    screen_resize(host, 30, 100);
    screen_expect(host, "number 1 of 2");
    screen_resize(guest, 24, 80);
    press(guest, "t", "your estimate");
    press(guest, "0.1080 ms",
          "your estimate: 0.1080 ms"); /* whole, also beside the words about skipping */
    press(guest, "\x15" "1 ms\r", "1.000 ms taken, 1 of 2 ");
    screen_expect(host, "floor time 1 ms, 9.0 x");   /* wrapped, not cut: "too high" below */
    screen_expect(host, "too high");
    screen_expect(host, "number 2 of 2");            /* what they answered is not offered again */
    screen_expect_gone(host, "number 1 of 2");
    press(guest, "1", "time, cold L2");
    screen_expect(host, "time 1.126 ms, of copy");
    screen_expect(host, "rate 11 %");
    press(guest, "\r", "Enter lock");
    press(guest, "\r", "Enter again locks");
    press(guest, "\r", "WHERE IS IT");
    press(guest, "\r", "HOW WOULD YOU FIX IT");
    press(guest, "2\r", "How many store requests");
    press(guest, "2097152\r", "the interviewer has the word");
    screen_expect(host, "store requests 2097152");
    screen_expect(host, "right");
    screen_expect_gone(host, "number 2 of 2");
    assert_false(is_on(host, "of 100"));             /* no points before the rubric is filled */
    both_leave();
}

static void all_notes_have_the_talk(void **state)
{
    both_begin();
    press(host, "\r", "WRITTEN DOWN");
    press(guest, "n", "Tab keep");
    press(guest, "bytes first\t", "Noted.");
    screen_expect(host, "bytes first");
    press(guest, "n", "Tab keep");
    press(guest, ", then time\t", "bytes first, then time");
    press(host, "nclear\r", "clear");
    press(host, "t2", "BELIEFS");
    screen_expect(guest, "this kernel");
    screen_expect_gone(host, "bytes first");
    press(host, "A", "theirs bytes first, then time");
    screen_expect(host, "clear");
    press(host, "\x1b", "BELIEFS");
    both_leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digit_sends_nothing),
        cmocka_unit_test(the_last_act_alone_goes_back),
        cmocka_unit_test(a_part_that_is_done_asks),
        cmocka_unit_test(the_truth_of_an_earlier_part),
        cmocka_unit_test(the_truth_between_parts),
        cmocka_unit_test(nothing_is_said_after_the_reveal),
        cmocka_unit_test(aloud_and_private_stand_apart),
        cmocka_unit_test(the_number_that_is_answered_stands_there),
        cmocka_unit_test(moves_judge_numbers),
        cmocka_unit_test(all_notes_have_the_talk),
    };
    return RUN_CASES(tests, in_place, out_of_place);
}
