/* A text in Python, of which an image runs, played to the end: it is shown as it stands, its lines
 * can be named, and the debrief holds it against its fix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/tui/steps.h"

#define DOWN "\x1bOB"

static void the_text_is_read_and_named(void **state)
{
    (void)state;
    static char runner[512];
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner good", getenv("BUILD"));
    const char *play[] = {"--pack", "tests/packs/images", "--trust", "--seed", "1", "--runner",
                          runner, "play", "imaged/doubled-vector/a", NULL};
    struct screen_start how = {.rows = 38, .columns = 110, .arguments = play};
    struct screen *s = screen_start(&how);
    screen_expect(s, "67.1 µs");
    press(s, "c", "c has arrived");
    screen_expect(s, "SOURCE, OF WHICH AN IMAGE RUNS");
    screen_expect(s, "  5  @triton.jit");
    screen_expect(s, " 13  twice<<<grid 4096, block 128>>>(out, in, n, 0, 0)");
    press(s, "1++++\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, DOWN DOWN DOWN DOWN DOWN DOWN DOWN DOWN, "▸  9      at = tl.program_id");
    press(s, "\r", "What would you do");
    press(s, "1\r", "Enter ends it");
    press(s, "\r\r", "It was uncoalesced access, on line 9.");
    press(s, "c", "CODE: suspect");
    press(s, "\t", "CODE: fix");
    screen_expect(s, "each * 128 + lane");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_text_is_read_and_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
