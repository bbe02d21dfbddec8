/* Two faults in one build, played to the end: the opening says that there may be two, what is left
 * is asked behind the fix, and the debrief ranks both by what they cost. */
#include "tests/tui/play/fake_play.h"

static struct screen *start(const char *variant)
{
    struct screen *s = fake_play("tests/packs/two-faults", variant, 30, 100);
    screen_expect(s, "WHICH CAUSES ARE POSSIBLE?");
    screen_expect(s, "33.8 µs");
    screen_expect(s, "There may be more than one fault, or none.");
    press(s, "\t", "Tab again goes on without");
    press(s, "\t", "Nothing bought yet");
    return s;
}

/* From the shop to the question behind the fix: `first` is believed, the line is `downs` below the
 * one on which the cursor begins, the fix the one of this digit. */
static void commit(struct screen *s, const char *first, int downs, const char *fix)
{
    press(s, first, "+");
    press(s, "\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    for (int k = 0; k < downs; k++)
        screen_send(s, DOWN);
    press(s, "\r", "What would you do");
    screen_send(s, fix);
    press(s, "\r", "And what is left once that is mended?");
}

static void both_are_ranked(void **state)
{
    struct screen *s = start("two-faults/counted-codes/a");
    press(s, "m", "Before you look");
    press(s, "\r", "m has arrived");
    commit(s, "1+++", 8, "1");
    screen_expect(s, "AND WHAT IS LEFT THEN");
    screen_expect(s, "0  nothing more");
    press(s, "\r", "Choose one with its digit first");
    press(s, "\x1b", "What would you do");
    press(s, "\r", "And what is left once that is mended?");
    press(s, "2\r", "ESTIMATE 1 OF 1");
    press(s, "12 us\r", "Enter ends it");
    press(s, "\r", "It was uncoalesced access, on line 9; then bank conflicts, on line 3.");
    screen_expect(s, "cause      37 of 40");
    screen_expect(s, "73 % on the truth; left: right");
    screen_expect(s, "suspect       33.8 µs");
    screen_expect(s, "1st mended    12.1 µs");
    screen_expect(s, "2nd mended    33.1 µs");
    screen_expect(s, "both mended   4.83 µs");
    press(s, "4", "[4 next time]");
    screen_expect(s, "12.0 µs for 12.1 µs");
    screen_expect(s, "1. uncoalesced access: mended alone, 33.8 µs become 12.1 µs. 2. bank");
    screen_expect(s, "since the first hides it; after the first, 12.1 µs become 4.83 µs.");
    screen_expect(s, "said that bank conflicts is left.");
    press(s, "c", "CODE: suspect");
    screen_expect(s, "▸  3");
    screen_expect(s, "▸  9");
    press(s, "\t", "CODE: first mended");
    press(s, "\t", "CODE: second mended");
    press(s, "\t", "CODE: fix");
    screen_send(s, "q");
    screen_free(s);
}

/* The same question where nothing more is wrong; without a test it earns nothing. */
static void one_alone_is_asked_the_same(void **state)
{
    struct screen *s = start("two-faults/counted-codes/b");
    commit(s, "2+++", 7, "2");
    press(s, "0\r", "ESTIMATE 1 OF 1");
    press(s, "4.8 us\r", "Enter ends it");
    press(s, "\r", "It was bank conflicts, on line 8.");
    screen_expect(s, "left: not tested");
    screen_expect_gone(s, "1st mended");
    press(s, "4", "Nothing more was wrong with it. You said that nothing more is left, and");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_are_ranked),
        cmocka_unit_test(one_alone_is_asked_the_same),
    };
    return RUN_CASES(tests, NULL, NULL);
}
