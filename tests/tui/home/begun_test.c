/* What was begun goes on wherever it is started from, notes are kept, and the day's count leaves
 * the warm-up out. */
#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static int set_up(void **state)
{
    return recorded_folder("begun");
}

static struct screen *start(int rows, int columns, const char *db, const char *scenario)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s.db", folder, db);
    const char *arguments[] = {"--db",   path, "--pack", packs, scenario ? "play" : NULL,
                               scenario, NULL};
    const char *environment[] = {"WARPDRILL_CONTENT=no-such-folder",
                                 NULL}; /* scenarios alone, no drills and cards */
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

/* Buys one minute of evidence, and leaves. */
static void begin(const char *db, const char *scenario)
{
    struct screen *s = start(30, 100, db, scenario);
    screen_expect(s, "0 of 15");
    press(s, "r", "Before you look");
    press(s, "\r", "r has arrived");
    screen_expect(s, "1 of 15");
    leave(s);
}

static void the_list_goes_on_with_what_was_begun(void **state)
{
    begin("list", "transposed-copy");
    struct screen *s = start(24, 80, "list", NULL);
    screen_expect(s, "continue");
    press(s, "s", "SCENARIOS");
    screen_expect(s, "begun");
    screen_expect(s, "▸ A plain copy");                     /* the lowest level first */
    press(s, "\x1bOB", "▸ A transposed copy");
    screen_expect(s, "first-principles/transposed-copy, variants: 4;");
    press(s, "\r", "1 of 15");
    leave(s);
}

/* By what is looked at, which no title says. */
static void the_list_tells_and_finds_kinds(void **state)
{
    char path[160];
    snprintf(path, sizeof path, "%s/kinds.db", folder);
    const char *arguments[] = {"--db",   path,
                               "--pack", "content/packs/first-principles",
                               "--pack", "content/packs/tiles",
                               "--pack", "content/packs/reported",
                               "--pack", "content/packs/many-gpus",
                               NULL};
    const char *environment[] = {"WARPDRILL_CONTENT=no-such-folder", NULL};
    struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    press(s, "s", "A plain copy, and the number on the box               kernel      warm-up");
    press(s, "/", "Enter search");
    press(s, "triton\r", "/triton   1 of ");
    screen_expect(s, "▸ Rows, divided by their root mean square               Triton      level 2");
    press(s, "/", "Enter search");
    press(s, "benchmark\r", "/benchmark   1 of 6");
    press(s, "/", "Enter search");
    press(s, "many-gpus\r", " of 14");
    screen_send(s, "\x1b");
    leave(s);
}

static void home_goes_on_with_what_was_begun(void **state)
{
    begin("home", "transposed-copy");
    struct screen *s = start(24, 80, "home", "plain-copy");
    screen_expect(s, "this kernel");
    leave(s);
    s = start(24, 80, "home", NULL);
    screen_expect(s, "level 1, begun");
    press(s, "2", "1 of 15");
    leave(s);
}

/* What a kill left is found again by the command that began it; a seed asks for a new play. */
static void play_goes_on_with_what_was_begun(void **state)
{
    begin("play", "transposed-copy");
    struct screen *s = start(30, 100, "play", "transposed-copy");
    screen_expect(s, "1 of 15");
    leave(s);
    char path[160];
    snprintf(path, sizeof path, "%s/play.db", folder);
    const char *arguments[] = {"--db", path, "--pack", packs, "--seed", "1",
                               "play", "transposed-copy", NULL};
    const char *environment[] = {"WARPDRILL_CONTENT=no-such-folder", NULL};
    struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments,
                               .environment = environment};
    s = screen_start(&how);
    screen_expect(s, "0 of 15");
    leave(s);
}

static void a_begun_one_keeps_its_best(void **state)
{
    struct screen *s = start(30, 100, "best", "plain-copy");
    screen_expect(s, "this kernel");
    press(s, "0++++\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, "0\r", "HOW WOULD YOU FIX IT");
    press(s, "3\r", "Enter ends");
    press(s, "\r", "debrief");
    leave(s);
    s = start(24, 80, "best", NULL);
    screen_expect(s, "0 of 2  drills none");               /* the warm-up is no part of the day */
    press(s, "s", "1 done, best");
    press(s, "\r", "this kernel");
    leave(s);
    s = start(24, 80, "best", NULL);
    screen_expect(s, "continue");
    press(s, "s", "begun, best");
    press(s, "\033", "continue");
    press(s, "h", "▸ ");
    screen_expect(s, " (60)"); /* not counted, and no room for the words */
    leave(s);
}

static void a_note_is_kept_by_esc(void **state)
{
    struct screen *s = start(30, 100, "note", "transposed-copy");
    screen_expect(s, "this kernel");
    press(s, "n", "Your notes");
    press(s, "bytes first", "bytes first");
    press(s, "\x1b", "Noted.");
    press(s, "n", "bytes first");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "Your notes");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_goes_on_with_what_was_begun),
        cmocka_unit_test(the_list_tells_and_finds_kinds),
        cmocka_unit_test(home_goes_on_with_what_was_begun),
        cmocka_unit_test(play_goes_on_with_what_was_begun),
        cmocka_unit_test(a_begun_one_keeps_its_best),
        cmocka_unit_test(a_note_is_kept_by_esc),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
