/* A variant whose launch is at fault, played to the end: nothing tells the launch before it is
 * bought, it is a line below the code, it can be pointed at, and the debrief shows what of it the
 * fix changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/tui/steps.h"

#define DOWN "\x1bOB"

static struct screen *start(const char *variant)
{
    static char runner[512];
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner good", getenv("BUILD"));
    const char *play[] = {"--pack",   "tests/packs/launches", "--trust", "--seed", "1",
                          "--runner", runner,                 "play",    variant,  NULL};
    struct screen_start how = {.rows = 30, .columns = 100, .arguments = play};
    struct screen *s = screen_start(&how);
    screen_expect(s, "67.1 µs");
    return s;
}

static void the_launch_is_bought_and_named(void **state)
{
    (void)state;
    struct screen *s = start("launched/scaled-vector/b");
    screen_expect(s, "33.6 MB to move.");
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
    (void)state;
    struct screen *s = start("launched/scaled-vector/a");
    screen_expect_gone(s, "1056");
    press(s, "c", "c has arrived");
    screen_expect(s, "  8  twice<<<grid 1056, block 256>>>(out, in, n)");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_launch_is_bought_and_named),
        cmocka_unit_test(so_is_that_of_a_variant_without_its_own),
    };
    return RUN_CASES(tests, NULL, NULL);
}
