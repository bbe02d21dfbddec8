/* Key lists, and the help and key lines that are made from them. */
#include <curses.h>

#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"
#include "tui/kit/keys.h"

/* ---- lists ---- */

static const struct binding tail_rows[] = {
    {ACT_BUY, "a s z", NULL, "buy"},
    {ACT_ENTER, "Enter", "commit| all", "lock"},
};
static const struct key_list tail = {KEY_ROWS(tail_rows)};
static const struct binding shop_rows[] = {
    {ACT_DIGIT, "0-9", "choose", "choose one"},
    {ACT_MORE, "+ =", "- odds", "double the odds"},
    {ACT_OUT, "!", "out", "put it out"},
};
static const struct key_list shop = {
    KEY_ROWS(shop_rows),
    .more = &tail,
    .must = {ACT_ENTER},
};
static const struct binding back_rows[] = {{ACT_BACK, "Esc q ?", "back", "back"}};
static const struct key_list back = {KEY_ROWS(back_rows), .only_listed = true};
static const struct binding editor_rows[] = {
    {ACT_NONE, "Tab Ctrl-D", "done", "done"},
    {ACT_HELP, "F1", "help", "help, while letters are typed"},
};
static const struct key_list editor = {KEY_ROWS(editor_rows), .words = true};

static void letters_mean_what_the_list_says(void **state)
{
    int arg = 0;
    assert_int_equal(action_of_key(&shop, 's', &arg), ACT_BUY);
    assert_int_equal(arg, 's');
    assert_int_equal(action_of_key(&shop, '7', &arg), ACT_DIGIT);
    assert_int_equal(arg, 7);
    assert_int_equal(action_of_key(&tail, '7', &arg), ACT_NONE);
    assert_int_equal(action_of_key(&shop, 'q', NULL), ACT_QUIT);
    assert_int_equal(action_of_key(&back, 'q', NULL), ACT_BACK);
    assert_int_equal(action_of_key(&editor, '\t', NULL), ACT_NONE);
    assert_int_equal(action_of_key(NULL, '\t', NULL), ACT_TAB);
}

/* The rows of a list that help names. */
static int helps(const struct key_list *list, const char *keys)
{
    const struct binding *b;
    int n = 0;
    for (size_t i = 0; (b = key_row(list, i)); i++)
        n += key_row_helps(list, b) && strcmp(b->keys, keys) == 0;
    return n;
}

static void help_names_what_works(void **state)
{
    assert_int_equal(helps(&shop, "0-9"), 1);
    assert_int_equal(helps(&shop, "a s z"), 1);
    assert_int_equal(helps(&shop, "?"), 1);
    assert_int_equal(helps(&shop, "q"), 1);
    assert_int_equal(helps(&back, "q"), 0);    /* there it goes back */
    assert_int_equal(helps(&editor, "q"), 0);  /* there it is a letter */
    assert_int_equal(helps(&editor, "F1"), 1);
    assert_int_equal(helps(&editor, "?"), 0);
}

static void special_keys_are_known_by_name(void **state)
{
    static const struct { int key; enum action action;
    } known[] = {
        {'\r', ACT_ENTER},    {'\n', ACT_ENTER},        {KEY_ENTER, ACT_ENTER},
        {27, ACT_BACK},       {'\t', ACT_TAB},          {KEY_UP, ACT_UP},
        {KEY_DOWN, ACT_DOWN}, {KEY_PPAGE, ACT_PAGE_UP}, {KEY_NPAGE, ACT_PAGE_DOWN},
        {'?', ACT_HELP},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(action_of_key(&shop, known[i].key, NULL), known[i].action);
    assert_int_equal(action_of_key(&shop, KEY_CHAR(0x101), NULL),
                     ACT_NONE); /* no KEY_BREAK in disguise */
    assert_int_equal(action_of_key(&shop, 0, NULL), ACT_NONE);
}

static void the_key_line_fits(void **state)
{
    char line[256];
    for (int w = 20; w <= 140; w++) {
        key_line(line, sizeof line, &shop, w);
        assert_true(strlen(line) <= (size_t)w);
        assert_non_null(strstr(line, "?"));
        assert_non_null(strstr(line, "Enter commit")); /* before all others */
    }
    key_line(line, sizeof line, &shop, 78);
    assert_string_equal(line, "0-9 choose  + - odds  ! out  Enter commit all  ? help  q quit");
    key_line(line, sizeof line, &shop, 53);
    assert_string_equal(line, "0-9 choose  + - odds  ! out  Enter commit  ? help  q");
    key_line_digits(line, sizeof line, &shop, 78, 3);
    assert_string_equal(line, "0-3 choose  + - odds  ! out  Enter commit all  ? help  q quit");
    key_line(line, sizeof line, &back, 78);
    assert_string_equal(line, "Esc back  ");
    key_line(line, sizeof line, NULL, 78);
    assert_string_equal(line, "? help  q quit");
}

/* ---- the screen ---- */

static void help_is_made_from_the_list(void **state)
{
    static const char *const arguments[] = { "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = 50, .columns = 100, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    screen_send(s, "?");
    screen_expect(s, "HOW THIS WORKS");
    screen_expect(s, "start the marked entry, which is the right next thing");
    screen_expect(s, "measure on a GPU here, behind ssh or behind Slurm");
    screen_expect(s, "leave; everything is saved");
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
    static const char *const arguments[] = {"--runner", "exit 3", NULL};
    const char *const environment[] = {folder_content, NULL};
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

static int set_up(void **state)
{
    return folder_make("help") || folder_ship("first-principles") ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_mean_what_the_list_says),
        cmocka_unit_test(help_names_what_works),
        cmocka_unit_test(special_keys_are_known_by_name),
        cmocka_unit_test(the_key_line_fits),
        cmocka_unit_test(help_is_made_from_the_list),
        cmocka_unit_test(help_speaks_of_the_place),
        cmocka_unit_test(help_scrolls_to_its_end),
        cmocka_unit_test(the_gpu_page_names_the_keys_of_typing),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
