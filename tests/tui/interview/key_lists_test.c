/* The key lists of all screens, state by state: no key means two things, and key lines fit. */
#include "tests/tui/steps.h"
#include "tests/unit.h"
#include "tui/app/trust_screen.h"
#include "tui/home/gpu_screen.h"
#include "tui/home/history.h"
#include "tui/home/home.h"
#include "tui/home/options_screen.h"
#include "tui/home/scenarios_screen.h"
#include "tui/home/stand_screen.h"
#include "tui/interview/candidate_screens.h"
#include "tui/interview/console_keys.h"
#include "tui/interview/console_screen.h"
#include "tui/interview/console.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_screen.h"
#include "tui/practice/cards_screen.h"
#include "tui/practice/drills_screen.h"

static void rows_are_whole(const struct key_list *list)
{
    const struct binding *b;
    for (size_t i = 0; (b = key_row(list, i)); i++) {
        assert_true(b->action < ACT_COUNT && b->keys && *b->keys);
        assert_true(!b->name || strlen(b->name) < 32);
    }
}

/* A row of the list's own that another one hides would stand in help and do nothing. */
static void no_letter_is_taken_twice(const struct key_list *list)
{
    const struct binding *b;
    for (int key = '!'; key <= '~'; key++) {
        enum action first = action_of_key(list, key, NULL);
        for (size_t i = 0; (b = key_row(list, i)); i++)
            for (const char *at = b->keys; b->help && *at; at++)
                if (*at == key && (at == b->keys || at[-1] == ' ') && (at[1] == ' ' || !at[1]) &&
                    key_row_helps(list, b))
                    assert_int_equal(b->action, first);
    }
}

static void lines_fit(const struct key_list *list)
{
    char line[256];
    for (int w = 20; w <= 140; w++) {
        key_line(line, sizeof line, list, w);
        assert_true(strlen(line) <= (size_t)w);
        assert_true((list && list->only_listed) || strstr(line, "?"));
    }
}

static void check(const struct key_list *list)
{
    rows_are_whole(list);
    no_letter_is_taken_twice(list);
    lines_fit(list);
}

static void screens_of_one_list(void **state)
{
    static const char nothing[1 << 16];
    static const struct screen_ops *const screens[] = {
        &home_screen, &history_screen, &scenarios_screen, &stand_screen,
        &gpu_screen,  &options_screen, &trust_screen,     &lobby_screen,
    };
    for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++)
        check(screens[i]->keys(NULL, nothing));
}

static void practice(void **state)
{
    static struct drill drill;
    static struct drill_instance instance = {.drill = &drill};
    static struct drills d = {.instance = &instance};
    static struct card card;
    static struct cards c = {.card = &card};
    for (drill.n_choices = 0; drill.n_choices < 4; drill.n_choices += 3)
        for (d.stage = DRILLS_ASKED; d.stage <= DRILLS_END; d.stage++)
            check(drills_keys(NULL, &d));
    for (card.kind = 0; card.kind <= CARD_RECALL; card.kind++)
        for (c.stage = CARDS_ASKED; c.stage <= CARDS_END; c.stage++)
            check(cards_keys(NULL, &c));
}

static void playing(void **state)
{
    static const struct play_hooks hooks;
    static struct investigation_screen s = {.modes = investigation_modes};
    for (s.ui = UI_OPEN; s.ui <= UI_REVEAL; s.ui++)
        for (int live = 0; live < 2; live++) {
            s.in.hooks = live ? &hooks : NULL;
            check(investigation_screen.keys(NULL, &s));
        }
}

static void hosting(void **state)
{
    static struct console c;
    for (c.mode = CONSOLE_PANES; c.mode <= CONSOLE_LIST; c.mode++)
        check(console_keys(NULL, &c));
}

static void home_names_all_its_keys_at_80_columns(void **state)
{
    char line[256];
    const struct key_list *keys = home_screen.keys(NULL, NULL);
    key_line_digits(line, sizeof line, keys, 78, 5);
    assert_string_equal(line, "1-5 start  s scen  d drills  c cards  h hist  w where  g GPU  o opt "
                              " ? help  q");
    key_line_digits(line, sizeof line, keys, 98, 5);
    assert_string_equal(line, "1-5 start  s scenarios  d drills  c cards  h history  w where  g "
                              "GPU  o options  ? help  q quit");
}

/* The only way on is not what a narrow line leaves out. */
static void the_way_on_always_stands(void **state)
{
    char line[256];
    static struct investigation_screen s = {.modes = investigation_modes};
    key_line(line, sizeof line, investigation_screen.keys(NULL, &s), 58);
    assert_non_null(strstr(line, "Enter commit"));
    assert_non_null(strstr(line, "Tab turn"));
    s.ui = UI_PUSHBACK;
    key_line(line, sizeof line, investigation_screen.keys(NULL, &s), 58);
    assert_non_null(strstr(line, "Enter final answer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screens_of_one_list),
        cmocka_unit_test(practice),
        cmocka_unit_test(playing),
        cmocka_unit_test(hosting),
        cmocka_unit_test(home_names_all_its_keys_at_80_columns),
        cmocka_unit_test(the_way_on_always_stands),
    };
    return RUN_CASES(tests, NULL, NULL);
}
