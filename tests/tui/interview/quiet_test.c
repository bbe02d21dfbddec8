/* Quiet time: nobody looks at the candidate's screen, neither the interviewer nor an observer, and
 * the candidate is told so. */
#include "tests/tui/interview/interview.h"

static struct screen *host, *guest;
static char code[32], watch[32];

static void begin(void)
{
    static const char *const words[] = {"--start", "--seed",    "5",  "--level",
                                        "1",       "--minutes", "60", NULL};
    host = host_screen(words, NULL);
    screen_expect(host, "Enter begins part 1");
    press(host, "c", "sees the same screen");
    screen_word(host, "observers     warpdrill join ", watch, sizeof watch);
    screen_word(host, "candidate     warpdrill join ", code, sizeof code);
    press(host, "\x1b", "Enter begins part 1");
}

static void to_the_scenario(void)
{
    screen_expect(host, "part 1 of");
    press(host, "t", "THE CLOCK");
    press(host, "2", "only on this screen");
}

static void end(void)
{
    host_leaves(host);
}

static void nobody_looks(void **state)
{
    begin();
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(host, "Ada, here");
    struct screen *observer = join_screen(watch, "Olga", env_runtime);
    screen_send(host, "\r");
    to_the_scenario();
    screen_expect(guest, "WHAT YOU BELIEVE");
    screen_expect(observer, "WHAT YOU BELIEVE");
    screen_resize(observer, 20, 60);
    screen_expect(observer, "this one 60 x 20: the rest");
    screen_resize(observer, 22, 62);
    screen_expect(observer, "this one 62 x 22: the rest"); /* it stands as long as it is true */
    screen_resize(observer, 40, 120);
    screen_expect_gone(observer, "the rest");
    press(host, "f", "left of 3:00");
    screen_expect(host, "theirs, ideal, as of 0:");
    screen_expect(guest, "nobody looks for 2:");
    screen_expect(observer, "Quiet time, 2:");
    assert_false(is_on(observer, "WHAT YOU BELIEVE"));
    press(host, "\t", "Quiet time, 2:");
    screen_expect(host, "THEIR VIEW");
    assert_false(is_on(host, "WHAT YOU BELIEVE"));
    press(guest, "nred herring", "Tab keep");
    press(guest, "\t", "Noted.");
    press(host, "\t", "MOVES");
    press(host, "s", "SCRIBE rests in quiet time");
    screen_send(host, "3+");                       /* blind keys do nothing */
    press(host, "\x1d", "MOVES");
    assert_false(is_on(host, "red herring\u201d"));
    assert_false(is_on(observer, "red herring"));
    press(host, "f", "wrote   \u201cred herring\u201d");
    screen_expect(observer, "WHAT YOU BELIEVE");
    screen_expect_gone(guest, "nobody looks");
    assert_false(is_on(host, "  3       "));
    press(host, "\t", "WHAT YOU BELIEVE");
    press(host, "\t", "MOVES");
    end();
    screen_free(observer);
    screen_free(guest);
}

/* Where no terminal of the candidate's is there, it is the scribe's that they read. */
static void the_only_screen_stays(void **state)
{
    begin();
    press(host, "\r", "Enter once more");
    screen_send(host, "\r");
    to_the_scenario();
    press(host, "f", "left of 3:00");
    press(host, "s", "SCRIBE: quiet time, 2:");
    screen_expect(host, "WHAT YOU BELIEVE");
    screen_send(host, "3+");
    press(host, "\x1d", "MOVES");
    assert_false(is_on(host, "  3       "));
    press(host, "f", "  3       ");
    end();
}

static void what_is_written_in_a_talk_waits(void **state)
{
    begin();
    guest = join_screen(code, "Ada", env_runtime);
    screen_expect(host, "Ada, here");
    screen_expect(guest, "The interviewer begins");
    press(host, "\r", "WRITTEN DOWN");
    press(guest, "nbytes first", "Tab keep");
    press(guest, "\t", "Noted.");
    screen_expect(host, "bytes first");
    press(host, "f", "left of 3:00");
    screen_expect(host, "as of 0:");
    screen_expect(guest, "nobody looks for 2:");
    press(guest, "n, then time", "then time");
    press(guest, "\t", "Noted.");
    press(host, "nin between\r", "in between");
    assert_true(is_on(host, "bytes first"));
    assert_false(is_on(host, "then time"));
    press(host, "f", "then time");
    end();
    screen_free(guest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_looks),
        cmocka_unit_test(the_only_screen_stays),
        cmocka_unit_test(what_is_written_in_a_talk_waits),
    };
    return RUN_CASES(tests, in_place, out_of_place);
}
