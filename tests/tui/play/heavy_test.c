/* A pack whose texts are as long as the reader lets them be: every page is shown, and a signal is
 * heard on it. Work that grew with the square of a text would outlast the harness's patience many
 * times over. */
#include <signal.h>
#include <sys/wait.h>

#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define DOWN "\x1bOB"
enum { DEBRIEF_MOST = 65536, SOURCE_MORE = 100000 /* twice, below what a source may have */ };

static int set_up(void **state)
{
    return recorded_folder("heavy");
}

/* Appends `piece` to a file of the variant until `size` bytes are there; opened with `mode`. */
static void fill(const char *name, const char *mode, const char *before, const char *piece,
                 size_t size, const char *after)
{
    char path[256];
    snprintf(path, sizeof path, "%s/first-principles/transposed-copy/a/%s", packs, name);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    fputs(before, f);
    for (size_t n = 0; n + strlen(piece) <= size; n += strlen(piece))
        fputs(piece, f);
    fputs(after, f);
    fclose(f);
}

static struct screen *start(const char *db, int rows, int columns)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s.db", folder, db);
    const char *arguments[] = {"--db",   path, "--pack", packs,
                               "--seed", "1",  "play",   "transposed-copy/a",
                               NULL};
    return screen_start(
        &(struct screen_start){.rows = rows, .columns = columns, .arguments = arguments});
}

static void to_the_debrief(struct screen *s)
{
    screen_expect(s, "this kernel");
    press(s, "t", "your estimate");
    press(s, "130 us\r", "0.130 ms taken, 1 of 2 ");
    screen_expect(s, "t has arrived");
    press(s, "\r", "Enter lock");
    press(s, "\r", "Enter again locks");
    press(s, "\r", "WHERE IS IT");
    for (int k = 0; k < 13; k++)
        screen_send(s, DOWN);
    press(s, "\x1b[6~", "WHERE IS IT");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "2\r", "your estimate");
    press(s, "\r", "Enter again skips it");
    press(s, "\r", "Enter ends");
    press(s, "\r", "debrief");
}

static void read_all(struct screen *s)
{
    press(s, "3", "WHAT CHANGED");
    for (int k = 0; k < 20; k++)
        screen_send(s, DOWN);
    press(s, "c", "CODE: suspect");
    press(s, "\x1b[6~\x1b[6~\t", "CODE: fix");
    press(s, "\x1b", "SIDE BY SIDE");
    screen_resize(s, 24, 80);
    screen_expect_gone(s, "WHY");
    press(s, "3", "WHAT CHANGED");
}

static void is_heard(struct screen *s)
{
    screen_send(s, DOWN);
    kill(screen_pid(s), SIGTERM);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 128 + SIGTERM);
    assert_true(screen_same_modes(s));
    screen_free(s);
}

static void play(const char *db)
{
    struct screen *s = start(db, 40, 140);
    to_the_debrief(s);
    read_all(s);
    is_heard(s);
}

static void words_and_lines_without_end(void **state)
{
    fill("sealed/debrief.md", "w", "", "w", DEBRIEF_MOST, "");
    fill("suspect.cu", "a", "//", "x", SOURCE_MORE, "\n");
    fill("sealed/fix.cu", "a", "//", "y", SOURCE_MORE, "\n");
    play("words");
}

static void lines_without_number(void **state)
{
    fill("sealed/debrief.md", "w", "", "- a\n", DEBRIEF_MOST, "");
    fill("suspect.cu", "a", "/*", "\n", SOURCE_MORE, "*/\n");
    fill("sealed/fix.cu", "a", "/*", "\nx", SOURCE_MORE, "*/\n");
    play("lines");
}

static void a_debrief_beyond_measure_is_refused(void **state)
{
    const char *arguments[] = { "check", packs, NULL };
    fill("sealed/debrief.md", "w", "", "w", DEBRIEF_MOST + 1, "");
    struct screen *s =
        screen_start(&(struct screen_start){.rows = 100, .columns = 200, .arguments = arguments});
    screen_expect(s, "sealed/debrief.md has 65537 bytes; at most 65536 were expected");
    screen_wait_exit(s);
    screen_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_lines_without_end),
        cmocka_unit_test(lines_without_number),
        cmocka_unit_test(a_debrief_beyond_measure_is_refused),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
