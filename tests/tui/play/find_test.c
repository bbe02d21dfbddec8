/* Searching by / on the screens of play, in lists and in help: one implementation, tried where its
 * rows differ. */
#include "tests/tui/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct screen *start(int rows, int columns, const char *colours)
{
    static char runner[512];
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner good", getenv("BUILD"));
    const char *play[] =
        {"--pack", "content/packs/first-principles",   "--trust", "--seed", "1", "--runner", runner,
         "play",   "first-principles/transposed-copy", NULL};
    const char *environment[] = {colours, NULL};
    struct screen_start how = {.rows = rows, .columns = columns, .arguments = play,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "67.1 µs");
    return s;
}

/* The picture has this text; its first n characters have their colours turned round, or not. */
static void expect_marked(struct screen *s, const char *text, int n, bool yes)
{
    int row, column;
    assert_true(screen_find(s, text, &row, &column));
    for (int k = 0; k < n; k++)
        assert_int_equal(screen_cell(s, row, column + k).attrs.reverse, yes);
}

static void source_and_listing(void **state)
{
    static const struct { int rows, columns; const char *colours; } sizes[] = {
        {50, 160, "NO_COLOR=1"}, {24, 80, "TERM=vt100"}, {20, 60, "NO_COLOR"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct screen *s = start(sizes[i].rows, sizes[i].columns, sizes[i].colours);
        press(s, "c", "SOURCE");
        press(s, "/", "Enter search");
        press(s, "TIle", "/TIle");
        press(s, "\r", "1 of 3");
        expect_marked(s, "tile[64]", 4, true);
        press(s, "nn", "3 of 3");
        press(s, "n", "1 of 3");                        /* behind the last the first again */
        press(s, "N", "3 of 3");
        press(s, "/", "Enter search");                  /* the same field, as it was */
        press(s, "\x15nothere\r", "not found here");
        press(s, "n", "not found here");
        press(s, "\x1b", "f whole screen");
        press(s, "i", "MACHINE CODE");
        press(s, "/\x15iadd3\r", "1 of 10 ");
        expect_marked(s, "IADD3", 5, true);
        press(s, "\x1b", "f whole screen");
        expect_marked(s, "IADD3", 5, false);
        screen_send(s, "\x1b");
        screen_send(s, "q");
        screen_free(s);
    }
}

/* Bytes that are no text, a pattern as long as the field takes, and n as a note once it is over. */
static void harmless_patterns(void **state)
{
    char many[2001];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    struct screen *s = start(24, 80, "NO_COLOR");
    press(s, "c", "SOURCE");
    press(s, "/\xff\xfe\xc3", "Enter search");
    press(s, "zz", "zz");
    press(s, "\r", "not found here");
    press(s, "/\x15", "Enter search");
    screen_send(s, many);
    press(s, "\r", "not found here");
    press(s, "/\x15\r", "f whole screen");              /* nothing is searched for: it ends */
    press(s, "/abc", "/abc");
    press(s, "\x1b", "f whole screen");
    press(s, "n", "YOUR NOTES");
    press(s, "a/b", "a/b");                             /* where letters are text, so is / */
    press(s, "\t", "Noted.");
    screen_send(s, "q");
    screen_free(s);
}

static void notebook_lines_and_help(void **state)
{
    struct screen *s = start(24, 80, "NO_COLOR");
    press(s, "r", "Before you look");
    press(s, "\r", "registers");
    press(s, "b", "b has arrived");
    press(s, "/regis\r", "1 of ");
    press(s, "\x1b", "u undo");
    press(s, "e", "EXPLAINED");                         /* the row found is the row chosen */
    press(s, "/", "no text to search");
    press(s, "\x1b", "WHAT YOU KNOW");
    press(s, "?", "choose a hypothesis");
    press(s, "/quadratic\r", "1 of 1");
    expect_marked(s, "quadratic", 9, true);
    press(s, "\x1b", "Esc back");
    press(s, "\x1b", "WHAT YOU KNOW");
    press(s, "\r", "Enter lock");
    press(s, "\r", "Enter again locks");
    press(s, "\r", "WHERE IS IT");
    press(s, "/tile\r", "1 of 3");
    screen_expect(s, "▸");
    press(s, "n", "2 of 3");
    press(s, "\x1b", "nowhere");
    press(s, "\r", "HOW WOULD YOU FIX");
    screen_send(s, "q");
    screen_free(s);
}

static void lists_of_home(void **state)
{
    const char *const arguments[] = {"--pack", "content/packs/inside-the-sm", "--runner", "exit 3",
                                     NULL};
    struct screen_start how = {.rows = 24, .columns = 80, .arguments = arguments};
    struct screen *s = screen_start(&how);
    screen_expect(s, "Find out why");
    press(s, "/interviewer\r", "1 of 1");
    press(s, "\x1b", "s scen");
    press(s, "s", "SCENARIOS");
    press(s, "/gated act\r", "▸ A gated activation");
    screen_expect(s, "1 of 1");
    press(s, "\x1b", "Enter start");
    press(s, "\r", "A gated activation");               /* what was found is what starts */
    screen_expect(s, "patience");
    screen_send(s, "q");
    screen_free(s);
}

/* A search that is on survives every size, and the smallest have no keys at all: a pattern typed
 * while one of those comes and goes would be taken as keys of what stands below. */
static void every_size(void **state)
{
    static const struct { int rows, columns; bool searchable; } sizes[] = {
        {1, 1, false},  {20, 60, true},  {90, 300, true}, {12, 40, false},
        {24, 80, true}, {2, 300, false}, {90, 20, false}, {30, 100, true}};
    struct screen *s = start(24, 80, "NO_COLOR");
    press(s, "c", "SOURCE");
    press(s, "/thread\r", "1 of ");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        screen_resize(s, sizes[i].rows, sizes[i].columns);
        screen_send(s, i % 2 ? "n" : "N");
        if (sizes[i].searchable) {
            screen_expect(s, " of ");
            press(s, "/", "Enter search");
            press(s, "\x15" "thread\r", " of ");
        }
    }
    screen_resize(s, 24, 80);
    press(s, "n", "of ");
    screen_resize(s, 90, 300);
    screen_expect(s, "Esc ends");
    press(s, "/", "Enter search");
    screen_resize(s, 5, 5);
    screen_resize(s, 24, 80);
    screen_expect(s, "Enter search");
    press(s, "\x1b", "f whole screen");
    screen_send(s, "q");
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_and_listing),     cmocka_unit_test(harmless_patterns),
        cmocka_unit_test(notebook_lines_and_help), cmocka_unit_test(lists_of_home),
        cmocka_unit_test(every_size),
    };
    return RUN_CASES(tests, NULL, NULL);
}
