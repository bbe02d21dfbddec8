/* Any resize is survived, and the right picture stands afterwards. */
#include <signal.h>

#include "tests/tui/steps.h"
#include "tests/unit.h"

static struct screen *open_at(int rows, int columns)
{
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = rows, .columns = columns, .arguments = arguments };
    return screen_start(&how);
}

/* Signals are read before keys, so the answer to a key is drawn at the newest size. History is
 * empty: a title, two rules and the keys stand at the four edges, and nothing of another size is
 * left between them. */
static void picture_is_right(struct screen *s, int rows, int columns)
{
    char line[512];
    screen_expect(s, "first start");
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    screen_expect_cell(s, 0, 1,
                       'w'); /* a repaint clears first and goes from the top: top, then bottom */
    screen_expect_cell(s, 0, 13, 'h');
    screen_expect_cell(s, rows - 2, 0, 0x2500);
    screen_expect_cell(s, rows - 2, columns - 1, 0x2500);
    screen_expect_cell(s, rows - 1, 5, 'b'); /* Esc back: there is nothing to open */
    screen_row(s, 0, line, sizeof line);
    assert_memory_equal(line, " warpdrill   history", 20);
    screen_row(s, 2, line, sizeof line);
    assert_string_equal(line, "  Nothing yet.");
    for (int row = 3; row < rows - 2; row++) {
        screen_row(s, row, line, sizeof line);
        assert_string_equal(line, "");
    }
    screen_send(s, "\033");
    screen_expect(s, "first start");
}

static void three_sizes(void **state)
{
    static const int sizes[][2] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };
    for (size_t i = 0; i < 3; i++) {
        struct screen *s = open_at(sizes[i][0], sizes[i][1]);
        picture_is_right(s, sizes[i][0], sizes[i][1]);
        leave(s);
    }
}

static void too_small_is_told_and_nothing_is_lost(void **state)
{
    struct screen *s = open_at(30, 100);
    screen_expect(s, "first start");
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    screen_resize(s, 18, 59);
    screen_expect(s, "warpdrill needs 60 x 20; this is 59 x 18. Nothing is");
    screen_resize(s, 24, 80);
    screen_expect(s, "WHAT YOU DID");
    leave(s);
}

static void one_cell_and_back(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 300}, {200, 2}, {1, 80}, {19, 60}, {20, 59}};
    struct screen *s = open_at(24, 80);
    screen_expect(s, "first start");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        screen_resize(s, sizes[i][0], sizes[i][1]);
        screen_expect(s, "w"); /* of "warpdrill needs", wherever it fits */
        screen_resize(s, 24, 80);
        picture_is_right(s, 24, 80);
    }
    leave(s);
}

static void huge(void **state)
{
    struct screen *s = open_at(24, 80);
    screen_expect(s, "first start");
    screen_resize(s, 300, 900);
    screen_expect(s, "? help  q quit");
    screen_resize(s, 24, 80);
    picture_is_right(s, 24, 80);
    leave(s);
}

/* Resizes one right after another, keys in between, nobody waits: the last size counts. */
static void storm(int rows, int columns)
{
    static const int sizes[][2] = {{30, 100}, {10, 40},  {24, 80}, {20, 60},
                                   {5, 7},    {50, 132}, {19, 200}};
    struct screen *s = open_at(24, 80);
    screen_expect(s, "first start");
    for (int i = 0; i < 210; i++) {
        const int *size = sizes[i % 7];
        screen_resize(s, size[0], size[1]);
        if (i % 3 == 0)
            screen_send(s, "j");
    }
    screen_resize(s, rows, columns);
    picture_is_right(s, rows, columns);
    leave(s);
}

static void storms(void **state)
{
    storm(30, 100);
    storm(24, 80);
    storm(20, 60);
}

static void a_storm_that_ends_too_small(void **state)
{
    struct screen *s = open_at(24, 80);
    screen_expect(s, "first start");
    for (int i = 0; i < 50; i++)
        screen_resize(s, 20 + i % 20, 60 + i);
    screen_resize(s, 10, 70);
    screen_expect(s, "this is 70 x 10. Nothing is lost.");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_sizes),
        cmocka_unit_test(too_small_is_told_and_nothing_is_lost),
        cmocka_unit_test(one_cell_and_back),
        cmocka_unit_test(huge),
        cmocka_unit_test(storms),
        cmocka_unit_test(a_storm_that_ends_too_small),
    };
    return RUN_CASES(tests, NULL, NULL);
}
