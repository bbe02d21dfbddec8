/* The question which causes are possible, beside the story; the lists of questions, longer than
 * there are digits; the story shown once. */
#include <unistd.h>

#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define DOWN "\x1bOB"
#define PAGE_DOWN "\x1b[6~"
#define PAGE_UP "\x1b[5~"

static const struct { int rows, columns; } sizes[] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };

static int set_up(void **state)
{
    return folder_make("asking");
}

/* A shipped scenario of level 3, with eleven questions, from what was recorded of it. */
static struct screen *start(int rows, int columns, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s-%d.db", folder, name, columns);
    const char *play[] = {"--db",   path, "--pack", "content/packs/decode-step",
                          "--seed", "1",  "play",   "scaled-block/c",
                          NULL};
    struct screen_start how = { .rows = rows, .columns = columns, .arguments = play };
    struct screen *s = screen_start(&how);
    screen_expect(s, "Name every cause");
    return s;
}

static void the_story_is_read_while_causes_are_named(void **state)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct screen *s = start(sizes[k].rows, sizes[k].columns, "read");
        screen_expect(s, "THE STORY");
        screen_expect(s, "this step");
        screen_expect_gone(s, "Tab: more");
        press(s, "launch overhead", "launch overhead");
        for (int page = 0; page < 3; page++)
            screen_send(s, PAGE_DOWN);
        screen_expect(s, "longest.");
        screen_expect_gone(s, "more below");
        press(s, PAGE_UP PAGE_UP PAGE_UP, "more below");
        screen_expect(s, "launch overhead");
        press(s, "\t", "Tab turn");
        screen_expect_gone(s, "Name every cause");
        leave(s);
    }
}

static void nothing_named_is_asked_for_twice(void **state)
{
    struct screen *s = start(20, 60, "nothing");
    press(s, "\t", "Nothing is named yet. Tab again goes on without.");
    press(s, "x", "Name every cause");
    press(s, "\x1b", "Esc again throws this away; Tab keeps it.");
    press(s, "y", "xy");
    press(s, "\x7f\x7f\t", "Tab again goes on without");
    screen_send(s, "\t");
    screen_expect_gone(s, "WHICH CAUSES ARE POSSIBLE?");
    screen_expect(s, "more below, Tab turns");
    leave(s);
}

static void every_question_can_be_asked(void **state)
{
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct screen *s = start(sizes[k].rows, sizes[k].columns, "asked");
        screen_send(s, "\x1b");
        screen_expect_gone(s, "Name every cause");
        press(s, "a", "0  May the adapter take bfloat16 instead?");
        screen_expect(s, "1-9 0 ask");
        press(s, "\r", "Mark one with the arrows first");
        for (int row = 0; row < 11; row++)
            screen_send(s, DOWN);
        screen_expect(s, "▸    Did the driver, the clocks or the node change?");
        press(s, "\r", "The answer has arrived");
        screen_expect(s, "Did the driver");
        press(s, "a", "Ask which?");
        press(s, "0", "The answer has arrived");
        screen_expect(s, "May the adapter take");
        leave(s);
    }
}

/* Where all of it stands above the panes no pane shows it again. */
static void the_story_stands_once(void **state)
{
    struct screen *s = start(60, 200, "once");
    screen_expect(s, "numbers in a row = 4096");
    screen_expect_gone(s, "THE STORY");
    screen_send(s, "\x1b");
    screen_expect(s, "Tab turn");
    for (int turns = 0; turns < 3; turns++) {
        screen_send(s, "\t");
        screen_expect_gone(s, "THE STORY");
    }
    screen_resize(s, 24, 80);
    press(s, "\x1b", "this step 0.667 ms");
    screen_expect_gone(s, "2.52 GB");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_story_is_read_while_causes_are_named),
        cmocka_unit_test(nothing_named_is_asked_for_twice),
        cmocka_unit_test(every_question_can_be_asked),
        cmocka_unit_test(the_story_stands_once),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
