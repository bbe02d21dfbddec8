/* A variant whose launch is at fault, played to the end: nothing tells the launch before it is
 * bought, it is a line below the code, it can be pointed at, and the debrief shows what of it the
 * fix changes. */
#include "tests/tui/play/fake_play.h"

static struct screen *start_of(const char *pack, const char *variant, const char *time)
{
    struct screen *s = fake_play(pack, variant, 30, 100);
    screen_expect(s, time);
    return s;
}

static struct screen *start(const char *variant)
{
    return start_of("tests/packs/launches", variant, "67.1 µs");
}

static void the_launch_is_bought_and_named(void **state)
{
    struct screen *s = start("launched/scaled-vector/b");
    screen_expect_gone(s, "1072");
    screen_expect_gone(s, "256");
    press(s, "c", "c has arrived");
    screen_expect(s, "  8  twice<<<grid 1072, block 256>>>(out, in, n)");
    press(s, "3++++\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, DOWN DOWN DOWN DOWN DOWN DOWN DOWN, "▸  8  twice<<<");
    press(s, "\r", "What would you do");
    press(s, "1\r", "Enter ends it");
    press(s, "\r\r", "It was tail or uneven blocks, on line 8.");
    screen_expect(s, "  8 - twice<<<grid 1072, block 256>>>");
    screen_expect(s, "    + twice<<<grid 1056, block 256>>>");
    press(s, "c", "CODE: suspect");
    screen_expect(s, "▸  8  twice<<<grid 1072");
    press(s, "\t", "CODE: fix");
    screen_expect(s, "  8  twice<<<grid 1056");
    screen_send(s, "q");
    screen_free(s);
}

static void so_is_that_of_a_variant_without_its_own(void **state)
{
    struct screen *s = start("launched/scaled-vector/a");
    screen_expect_gone(s, "1056");
    press(s, "c", "c has arrived");
    screen_expect(s, "  8  twice<<<grid 1056, block 256>>>(out, in, n)");
    screen_send(s, "q");
    screen_free(s);
}

static void what_the_host_does_has_rows(void **state)
{
    struct screen *s = start_of("tests/packs/hosted", "hosted/decoded-steps/b", "0.134 ms");
    screen_expect_gone(s, "read (");
    press(s, "t", "t has arrived");
    screen_expect(s, "host in driver calls");
    press(s, "\t", "TIMELINE");
    screen_expect(s, "read (look)");
    press(s, DOWN DOWN DOWN, "▸ read (look)");
    press(s, "e", "EXPLAINED");
    screen_expect(s, "Step 2 of the host's 5.");
    screen_expect(s, "holds the host up for 2.00");
    press(s, DOWN DOWN DOWN DOWN DOWN, "waits for");
    screen_send(s, "e");
    press(s, "c", "c has arrived");
    screen_expect(s, "  9  read(out)  // look");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_launch_is_bought_and_named),
        cmocka_unit_test(what_the_host_does_has_rows),
        cmocka_unit_test(so_is_that_of_a_variant_without_its_own),
    };
    return RUN_CASES(tests, NULL, NULL);
}
