/* An edited scenario keeps its history: attempts stay, and say with which version they were played.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/library/version.h"
#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char database[96];

static int set_up(void **state)
{
    if (recorded_folder("version"))
        return -1;
    snprintf(database, sizeof database, "%s/progress.db", folder);
    return 0;
}

static struct screen *start(int rows, int columns, const char *scenario)
{
    const char *play[] = {"--db",   database, "--pack", packs, "--runner",
                          "exit 3", "play",   scenario, NULL};
    const char *home[] = { "--db", database, "--pack", packs, "--runner", "exit 3", NULL };
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = scenario ? play : home};
    struct screen *s = screen_start(&how);
    screen_expect(s,
                  scenario ? "this kernel" : "drills"); /* keys that come sooner act on nothing */
    return s;
}

/* The version of transposed-copy/a as it lies there now, and the words about another one. */
static void version(char out[VERSION_TEXT])
{
    char path[128];
    struct pack *p = NULL;
    struct err err = { 0 };
    snprintf(path, sizeof path, "%s/first-principles", packs);
    if (pack_open(&p, path, &err) != 0)
        give_up(path, err.text);
    assert_true(version_of(out, story_variant(pack_story(p, "transposed-copy"), "a")));
    pack_free(p);
}

static void append(const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/first-principles/transposed-copy/%s", packs, file);
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void play_to_the_end(void)
{
    struct screen *s = start(30, 100, "transposed-copy/a");
    screen_expect(s, "this kernel");
    press(s, "\r", "Enter lock");
    press(s, "\r", "Enter again locks");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r2\r", "How long does it take at the very least");
    press(s, "\r\r", "How many store requests"); /* one Enter too many would leave the debrief */
    press(s, "\r\r", "Enter ends it");
    press(s, "\r", "SIDE BY SIDE");
    assert_false(screen_find(s, "changed since", NULL, NULL));
    leave(s);
}

static void history_and_debrief_tell(void **state)
{
    char before[VERSION_TEXT], after[VERSION_TEXT], words[80];
    version(before);
    play_to_the_end();
    struct screen *s = start(30, 100, NULL);
    press(s, "h", "A transposed copy");
    assert_false(screen_find(s, "changed since", NULL, NULL));
    leave(s);
    append("a/suspect.cu", "// another comment\n");
    version(after);
    assert_string_not_equal(before, after);
    snprintf(words, sizeof words, "played with version %s; it has changed since", before);
    s = start(30, 100, NULL);
    press(s, "h", words);
    press(s, "\r", "SIDE BY SIDE");
    screen_expect(s, words);
    press(s, "b", "ideal reader");
    screen_expect(s, words);                        /* it stays */
    leave(s);
    s = start(20, 60, NULL);
    press(s, "h", words);
    press(s, "\r", "debrief");
    screen_expect(s, words);
    leave(s);
}

static void an_open_attempt_goes_on_as_it_was_begun(void **state)
{
    char before[VERSION_TEXT], words[80];
    version(before);
    struct screen *s = start(30, 100, "transposed-copy/a");
    screen_expect(s, "this kernel");
    leave(s);
    append("scenario.yaml", "# another comment\n");
    snprintf(words, sizeof words, "begun with version %s; it has changed since", before);
    s = start(30, 100, NULL);
    screen_expect(s, "continue");
    press(s, "\r", words);
    screen_expect(s, "this kernel");
    leave(s);
}

static void the_list_says_where_packs_come_from(void **state)
{
    char words[160];
    struct screen *s = start(30, 100, NULL);
    snprintf(words, sizeof words, "First principles, from %.12s", packs);
    press(s, "s", words);
    leave(s);
    s = start(20, 60, NULL);                        /* no room */
    press(s, "s", "SCENARIOS");
    assert_false(screen_find(s, "First principles, from", NULL, NULL));
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(history_and_debrief_tell, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(an_open_attempt_goes_on_as_it_was_begun, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(the_list_says_where_packs_come_from, set_up, folder_remove),
    };
    return RUN_CASES(tests, NULL, NULL);
}
