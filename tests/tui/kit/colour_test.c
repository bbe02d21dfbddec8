/* Colours have meanings, and nothing is lost without them. */
#include "tests/tui/steps.h"
#include "tests/unit.h"

/* Runs home with the environment, and asks whether an SGR colour (30 to 49, 90 to 107) was ever
 * sent. */
static bool sends_colour(const char *const *environment)
{
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    size_t n;
    bool coloured = false;
    screen_expect(s, "first start");
    screen_send(s, "s");
    screen_expect(s, "SCENARIOS");
    screen_send(s, "\033g");
    screen_expect(s, "WHERE IS YOURS?");
    screen_send(s, "\r");
    screen_expect(s, "Esc cancels");
    screen_send(s, "x\033q");
    assert_int_equal(screen_wait_exit(s), 0);
    for (const char *at = screen_bytes(s, &n); (at = strstr(at, "\033[")) != NULL; at += 2) {
        size_t len = strspn(at + 2, "0123456789;");
        for (size_t i = 0; at[2 + len] == 'm' && i < len; i++)
            coloured |= (i == 0 || at[1 + i] == ';') && strchr("3", at[2 + i]) &&
                        at[3 + i] >= '0' && at[3 + i] <= '7';
    }
    screen_free(s);
    return coloured;
}

static void colour_where_there_is_some(void **state)
{
    static const char *const none[] = { NULL }, *const light[] = { "COLORFGBG=0;15", NULL };
    assert_true(sends_colour(none));
    assert_true(sends_colour(light));
}

static void none_with_no_color(void **state)
{
    static const char *const off[] = { "NO_COLOR=1", NULL }, *const empty[] = { "NO_COLOR=", NULL };
    assert_false(sends_colour(off));
    assert_true(sends_colour(empty));
}

static void none_on_a_monochrome_terminal(void **state)
{
    static const char *const mono[] = { "TERM=vt220", NULL };
    assert_false(sends_colour(mono));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_where_there_is_some),
        cmocka_unit_test(none_with_no_color),
        cmocka_unit_test(none_on_a_monochrome_terminal),
    };
    return RUN_CASES(tests, NULL, NULL);
}
