/* The one table of keys, and the help and key lines that are made from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "tests/tui/steps.h"
#include "tui/kit/keys.h"

/* ---- the table ---- */

static void every_row_has_keys_and_a_place(void **state)
{
    (void)state;
    size_t n;
    const struct binding *b = binding_table(&n);
    for (size_t i = 0; i < n; i++) {
        assert_true((b[i].action > ACT_NONE || b[i].contexts == CTX_EDITOR) &&
                    b[i].action < ACT_COUNT); /* the editor reads its keys itself */
        assert_true(b[i].keys && *b[i].keys && b[i].contexts);
        assert_true(!b[i].name || strlen(b[i].name) <= 16);
    }
}

static void letters_mean_what_the_place_says(void **state)
{
    (void)state;
    int arg = 0;
    assert_int_equal(action_of_key(CTX_HOME, 's', &arg), ACT_SCENARIOS);
    assert_int_equal(action_of_key(CTX_INVESTIGATION, 's', &arg), ACT_BUY);
    assert_int_equal(arg, 's');
    assert_int_equal(action_of_key(CTX_INVESTIGATION, '7', &arg), ACT_DIGIT);
    assert_int_equal(arg, 7);
    assert_int_equal(action_of_key(CTX_PUSHBACK, 'm', &arg), ACT_NONE);
    assert_int_equal(action_of_key(CTX_HOME, '0', &arg), ACT_NONE);
    assert_int_equal(action_of_key(CTX_HELP, 'q', &arg), ACT_BACK);
    assert_int_equal(action_of_key(CTX_DEBRIEF, 'q', &arg), ACT_QUIT);
}

static void special_keys_are_known_by_name(void **state)
{
    (void)state;
    static const struct { int key; enum action action;
    } known[] = {
        {'\r', ACT_ENTER},    {'\n', ACT_ENTER},        {KEY_ENTER, ACT_ENTER},
        {27, ACT_BACK},       {'\t', ACT_TAB},          {KEY_UP, ACT_UP},
        {KEY_DOWN, ACT_DOWN}, {KEY_PPAGE, ACT_PAGE_UP}, {KEY_NPAGE, ACT_PAGE_DOWN},
        {'?', ACT_HELP},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(action_of_key(CTX_INVESTIGATION, known[i].key, NULL), known[i].action);
    assert_int_equal(action_of_key(CTX_INVESTIGATION, KEY_CHAR(0x101), NULL),
                     ACT_NONE); /* no KEY_BREAK in disguise */
    assert_int_equal(action_of_key(CTX_INVESTIGATION, 0, NULL), ACT_NONE);
}

/* The probes' letters are the shop's; none of them may hide a key that stands in the
 * investigation's key line. */
static void no_letter_is_taken_twice(void **state)
{
    (void)state;
    size_t n;
    const struct binding *b = binding_table(&n);
    for (unsigned context = 2; context <= CTX_CHOICE; context <<= 1)
        for (int key = '!'; key <= '~'; key++) {
            enum action first = action_of_key(context, key, NULL);
            for (size_t i = 0; i < n; i++)
                for (const char *at = b[i].keys; (b[i].contexts & context) && *at; at++)
                    if (*at == key && (at == b[i].keys || at[-1] == ' ') &&
                        (at[1] == ' ' || !at[1]))
                        assert_int_equal(b[i].action, first);
        }
}

static void the_key_line_fits(void **state)
{
    (void)state;
    char line[256];
    for (unsigned context = 2; context <= CTX_CHOICE; context <<= 1)
        for (int w = 20; w <= 140; w++) {
            key_line(line, sizeof line, context, w);
            assert_true(strlen(line) <= (size_t)w);
            if (context != CTX_HELP)
                assert_non_null(strstr(line, "?"));
        }
    key_line(line, sizeof line, CTX_INVESTIGATION, 78);
    assert_non_null(strstr(line, "Enter commit"));
    assert_non_null(strstr(line, "! out"));
    key_line(line, sizeof line, CTX_INVESTIGATION, 58);     /* the only way on */
    assert_non_null(strstr(line, "Enter commit"));
    key_line(line, sizeof line, CTX_PUSHBACK, 58);
    assert_non_null(strstr(line, "Enter last word"));
}

static void home_names_all_its_keys_at_80_columns(void **state)
{
    (void)state;
    char line[256];
    key_line_digits(line, sizeof line, CTX_HOME, 78, 5);
    assert_string_equal(line, "1-5 start  s scen  d drills  c cards  h hist  w where  g GPU  o opt "
                              " ? help  q");
    key_line_digits(line, sizeof line, CTX_HOME, 98, 5);
    assert_string_equal(line, "1-5 start  s scenarios  d drills  c cards  h history  w where  g "
                              "GPU  o options  ? help  q quit");
}

/* ---- the screen ---- */

static void help_is_made_from_the_table(void **state)
{
    (void)state;
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = 50, .columns = 100, .arguments = arguments };
    struct screen *s = screen_start(&how);
    size_t n;
    const struct binding *b = binding_table(&n);
    screen_expect(s, "first start");
    screen_send(s, "?");
    screen_expect(s, "HOW THIS WORKS");
    for (size_t i = 0; i < n; i++)
        if (b[i].help && (b[i].contexts & CTX_HOME))
            screen_expect(s, b[i].help);
    screen_expect_gone(s, "PgDn more");
    screen_expect_gone(s, "NEXT");              /* a first start has no such rule */
    screen_send(s, "q");
    screen_expect(s, "first start");
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

/* What stands in help where `keys` lead, and what does not. */
static void help_says(const char *keys, const char *mark, const char *says, const char *and_says,
                      const char *never)
{
    static const char *const arguments[] = {"--runner", "exit 3", NULL},
                             *const environment[] = {"WARPDRILL_CONTENT=content/packs", NULL};
    struct screen_start how = {.rows = 50,
                               .columns = 100,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    int row, column;
    screen_expect(s, "q quit");
    screen_send(s, keys);
    screen_expect(s, mark);
    screen_send(s, "?");
    screen_expect(s, "HOW THIS WORKS");
    screen_expect(s, says);
    screen_expect(s, and_says);
    assert_false(screen_find(s, never, &row, &column));
    assert_false(screen_find(s, "notebook's block", &row, &column));
    assert_false(screen_find(s, "code sideways", &row, &column));
    screen_send(s, "q");
    screen_expect(s, mark);
    screen_send(s, "\033");
    screen_expect_gone(s, mark);
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

static void help_speaks_of_the_place(void **state)
{
    (void)state;
    help_says("d", "Enter answer", "interval rule", "A hint takes a quarter", "belief");
    help_says("c", "Esc back", "A card that the program can check", "comes back ever later",
              "interval rule");
    help_says("o", "BACKUPS", "A backup is a copy of all progress",
              "a step up; a date moves by a day", "belief");
    help_says("w", "A YEAR", "A range holds the true value", "drills of the marked one",
              "belief about each");
    help_says("h", "WHAT YOU DID", "Each scenario with its score", "a page down",
              "doubles its odds");
}

static void help_scrolls_to_its_end(void **state)
{
    (void)state;
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = 20, .columns = 60, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    screen_send(s, "?");
    screen_expect(s, "more below");
    screen_expect(s, "PgDn more");
    screen_send(s, "   ");
    screen_expect_gone(s, "more below");
    screen_expect(s, "is arithmetic.");
    screen_expect(s, "PgUp before  Esc back");  /* nothing to turn on to */
    screen_expect_gone(s, "PgDn more");
    screen_send(s, "\033");
    screen_expect(s, "first start");
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

/* Letters are letters while a command is typed: the line names what acts. */
static void the_gpu_page_names_the_keys_of_typing(void **state)
{
    (void)state;
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = 24, .columns = 80, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    screen_send(s, "g");
    screen_expect(s, "Enter type  r retry");
    screen_send(s, "\r");
    screen_expect(s, "Enter start  Esc cancel  Ctrl-U clear");
    screen_expect_gone(s, "r retry");
    screen_send(s, "\033");
    screen_expect(s, "r retry");
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_keys_and_a_place),
        cmocka_unit_test(letters_mean_what_the_place_says),
        cmocka_unit_test(special_keys_are_known_by_name),
        cmocka_unit_test(no_letter_is_taken_twice),
        cmocka_unit_test(the_key_line_fits),
        cmocka_unit_test(home_names_all_its_keys_at_80_columns),
        cmocka_unit_test(help_is_made_from_the_table),
        cmocka_unit_test(help_speaks_of_the_place),
        cmocka_unit_test(help_scrolls_to_its_end),
        cmocka_unit_test(the_gpu_page_names_the_keys_of_typing),
    };
    return RUN_CASES(tests, NULL, NULL);
}
