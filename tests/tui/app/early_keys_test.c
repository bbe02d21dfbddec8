/* Keys that come before what was asked for can be seen: they act on nothing. */
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static int set_up(void **state)
{
    return folder_make("early") || folder_ship("first-principles") ? -1 : 0;
}

static struct screen *begin(const char *runner, const char *play)
{
    char database[96];
    snprintf(database, sizeof database, "%s/progress.db", folder);
    const char *arguments[] = {"--db", database, "--runner", runner, play ? "play" : NULL,
                               play,   NULL};
    const char *environment[] = { folder_content, NULL };
    struct screen_start how = {.rows = 30,
                               .columns = 100,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

/* The look for a GPU takes its time; s would have opened the list of scenarios below the cards. */
static void what_was_typed_before_the_first_frame_is_forgotten(void **state)
{
    int row, column;
    struct screen *s = begin("sleep 0.5; exit 3", "cards");
    screen_send(s, "s");
    screen_expect(s, "cards   1 of");
    screen_expect(s, "Esc back");
    screen_send(s, "\033");
    screen_expect(s, "first start");
    assert_false(screen_find(s, "SCENARIOS", &row, &column));
    leave(s);
}

static void home_starts_nothing_while_something_else_is_awaited(void **state)
{
    struct screen *s = begin("exec sleep 1000", "cards");
    screen_expect(s, "looking for a GPU");
    press(s, "1", "Keys count once cards is shown");
    press(s, "g", "WHERE IS YOURS?");
    press(s, "x", "cards   1 of");
    press(s, "\033", "WHERE IS YOURS?");
    press(s, "\033", "first start");
    leave(s);
}

static void home_is_left_while_something_else_is_awaited(void **state)
{
    struct screen *s = begin("exec sleep 1000", "cards");
    screen_expect(s, "looking for a GPU");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_typed_before_the_first_frame_is_forgotten),
        cmocka_unit_test(home_starts_nothing_while_something_else_is_awaited),
        cmocka_unit_test(home_is_left_while_something_else_is_awaited),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
