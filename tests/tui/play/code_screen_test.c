/* Samples by line and the machine code on the screen: bought by keys from a fake runner, at the two
 * usual sizes. */
#include "tests/tui/play/fake_play.h"

static struct screen *start(int rows, int columns)
{
    return fake_play("content/packs/first-principles", "first-principles/transposed-copy", rows,
                     columns);
}

/* The fake runner waits for memory on every line with a semicolon, most of all on the last. */
static void lines_code_and_listing(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct screen *s = start(sizes[i].rows, sizes[i].columns);
        screen_expect(s, "67.1 µs");
        press(s, "l", "l has arrived");
        screen_expect(s, "%  memory");                   /* the word of the source page */
        screen_expect(s, "memory: long_scoreboard");
        screen_expect(s, "line 1");
        press(s, "e", "line with most samples");
        press(s, "e", "line 1");
        press(s, "c", i == 0 ? "13 more below, % of samples, why" : "11 more below");
        screen_expect(s, " memory ");
        press(s, "\x1bOC", "…C\" __global");     /* sideways */
        press(s, "\x1bOD", "extern \"C\"");
        screen_expect(s, "f whole screen");
        press(s, "f", "f back to the panes");           /* all of it, and nothing else */
        screen_expect(s, i == 0 ? "  21 " : "  18 ");
        screen_expect_gone(s, "uncoalesced");
        press(s, "f", "f whole screen");
        screen_expect(s, "uncoalesced");
        press(s, "f", "f back to the panes");
        press(s, "\x1b", "f whole screen");             /* Esc narrows it first */
        press(s, "i", "Again buys it");
        press(s, "i", "MACHINE CODE");
        screen_expect(s, "0000       IADD3");
        press(s, "1e", "EXPLAINED");
        screen_expect(s, "The lanes of a warp touch");  /* what was chosen last */
        press(s, "\x1b", "WHAT YOU KNOW");
        press(s, "\x1bOB", "▸ instructions in the code");
        press(s, "e", "  a plain number");              /* a number again, without a unit */
        press(s, "i", "0000       IADD3");
        press(s, "c", i == 0 ? "13 more below" : "11 more below");
        press(s, "\x1b[6~",
              i == 0
                  ? " 11  "
                  : " 10  "); /* a page is what was shown, and the last line stays at the bottom */
        screen_expect_gone(s, i == 0 ? "13 more below" : "more below");
        press(s, "\x1b[6~\x1bOB\x1bOB", "  21 ");
        screen_expect_gone(s, "more below");
        screen_expect(s, "% of samples, why");
        press(s, "\r", "Enter lock");
        press(s, "\r", "Enter again locks");
        press(s, "\r", "WHERE IS IT");
        press(s, "\x1bOC", "…C\" __global");
        press(s, "\x1bOD", "extern \"C\"");
        screen_expect(s, " 11 █");          /* the source, free now, with its samples */
        screen_send(s, "\x1b");
        screen_send(s, "q");
        screen_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(lines_code_and_listing) };
    return RUN_CASES(tests, NULL, NULL);
}
