/* A text in Python, of which an image runs, played to the end: it is shown as it stands, its lines
 * can be named, and the debrief holds it against its fix. */
#include "tests/tui/play/fake_play.h"

static void the_text_is_read_and_named(void **state)
{
    struct screen *s = fake_play("tests/packs/images", "imaged/doubled-vector/a", 38, 110);
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
