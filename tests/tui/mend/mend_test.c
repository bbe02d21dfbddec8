/* Mending on the screen, behind a runner that does what the text says of itself: editors that work,
 * die or are missing, the field of the screen, the tries, a file that is spoilt under it. */
#include <signal.h>
#include <sys/stat.h>

#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define PACK "tests/packs/good"

static char database[96], mine[160];

static const char *build(void)
{
    const char *b = getenv("BUILD");
    return b ? b : "build";
}

static void sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void sh(const char *fmt, ...)
{
    char command[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(command, sizeof command, fmt, ap);
    va_end(ap);
    assert_int_equal(system(command), 0);
}

/* Every case has progress in which row-sums/a was diagnosed, and no text yet. */
static int set_up(void **state)
{
    if (folder_make("mend") != 0)
        return -1;
    snprintf(database, sizeof database, "%s/progress.db", folder);
    snprintf(mine, sizeof mine, "%s/warpdrill/mend/example/row-sums/a/mine.cu", folder);
    sh("'%s/tests/fakes/fake_player' " PACK " row-sums/a %s", build(), database);
    return 0;
}

/* An editor that puts these lines above the fix. */
static char *editor_that_writes(const char *name, const char *lines)
{
    char *path = text_format("%s/%s.sh", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n{ printf '%s'; cat %s/row-sums/a/sealed/fix.cu; } >\"$1\"\n", lines,
            PACK);
    fclose(f);
    chmod(path, 0700);
    return path;
}

/* At home. */
static struct screen *begin_asked(const char *runner, const char *editor, const char *trust)
{
    char *command = text_format("%s/tests/fakes/fake_runner %s", build(), runner);
    char *visual = text_format("VISUAL=%s", editor);
    char *state = text_format("XDG_STATE_HOME=%s", folder); /* no yes of an earlier run */
    const char *arguments[] = {"--pack", PACK, "--db", database, "--runner", command, trust,
                               NULL};
    const char *environment[] = {visual, state, NULL};
    struct screen_start how = {.rows = 34, .columns = 110, .arguments = arguments,
                               .environment = environment, .data = folder};
    struct screen *s = screen_start(&how);
    free(command);
    free(visual);
    free(state);
    screen_expect(s, strcmp(runner, "no-gpu") ? "Fake GPU, live" : "no GPU here");
    return s;
}

static struct screen *begin(const char *runner, const char *editor)
{
    return begin_asked(runner, editor, "--trust");
}

static struct screen *open_mend(const char *runner, const char *editor)
{
    struct screen *s = begin(runner, editor);
    press(s, "h", "WHAT YOU DID");
    press(s, "\r", "m mend");
    press(s, "m", "MEND IT");
    return s;
}

/* From the first row of the list down to another one, which it shows too; each takes two lines. */
static void choose(struct screen *s, const char *first, const char *wanted)
{
    int top, row, column;
    assert_true(screen_find(s, first, &top, &column));
    assert_true(screen_find(s, wanted, &row, &column));
    for (; row > top; row -= 2)
        screen_send(s, "j");
}

static void a_kernel_is_written_from_nothing(void **state)
{
    char *editor = editor_that_writes("good", "// fake: time 1\\n");
    size_t n;
    struct screen *s = begin("live", editor);
    press(s, "m", "WRITE IT");
    screen_expect(s, "The sum of each row");
    screen_expect(s, "not begun");
    press(s, "t", "MEND IT, BY LEVEL");
    screen_expect(s, "uncoalesced access; not begun");
    press(s, "t", "WRITE IT");
    choose(s, "Twice each number", "The sum of each row"); /* what is no story's comes first */
    press(s, "\r", "right, 7.6 times the best's time");
    screen_expect(s, ". Lanes along a row: within 3 times the best's time");
    assert_null(strstr(screen_bytes(s, &n), "The last of it"));
    assert_null(strstr(screen_bytes(s, &n), "suspect  "));
    press(s, "h", "stands a row away from its neighbour");
    press(s, "\r", "right, 1.09 times the best's time");
    screen_expect(s, "# The last of it");
    screen_expect(s, "A warp to a row, four floats a lane.");
    press(s, "\x1b", "right, 92 % of our best's speed, 2 tries");
    leave(s);
    free(editor);
}

static void a_save_is_judged_and_what_changed_is_told(void **state)
{
    char *editor = editor_that_writes("good", "// fake: time 1\\n// launches: fix\\n");
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast as the suspect, 0 % of the gap closed");
    press(s, "\r", "right, 7 times as fast");
    screen_expect(s, "4.00 µs, 83 % of it reached");
    screen_expect(s, "WHAT CHANGED SINCE TRY 1");
    screen_expect(s, "sectors per load request      32 -> 4");
    press(s, "e", "Healthy is 4 for");
    press(s, "t", "TRIES, and the share");
    screen_expect(s, "2 best right");
    leave(s);
    free(editor);
}

/* An editor that saves, does not end before the verdict is in the store, and saves again. */
static void each_save_is_judged_while_the_editor_is_open(void **state)
{
    char *editor = text_format("%s/patient.sh", folder);
    FILE *f = fopen(editor, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/sh\n"
            "save() { { echo \"// fake: time $1\"; cat %s/row-sums/a/sealed/fix.cu; } >\"$2\"; }\n"
            "save 2 \"$1\"\n"
            "for look in $(seq 400); do\n"
            "    '%s/warpdrill' mend row-sums/a --list --pack %s --db %s |\n"
            "        grep -q 'right, 3.5' &&\n"
            "        save 1 \"$1\" && exit 0\n"
            "    sleep 0.05\n"
            "done\n"
            "exit 1\n",
            PACK, build(), PACK, database);
    fclose(f);
    chmod(editor, 0700);
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "\r", "right, 7 times as fast");
    press(s, "t", "  2      right, 3.5 times");
    screen_expect(s, "  3 best right, 7 times");
    leave(s);
    free(editor);
}

static void a_text_is_run_under_the_sanitizer(void **state)
{
    char *editor = editor_that_writes("racy", "// fake: time 1\\n// fake: racecheck\\n");
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "s", "racecheck: nothing found");
    press(s, "\r", "right, 7 times as fast");
    press(s, "s", "racecheck: 3 found");
    screen_expect(s, "synccheck: nothing found");
    leave(s);
    free(editor);
}

static void tries_are_compared_and_taken_back(void **state)
{
    char *editor = editor_that_writes("good", "// fake: time 1\\n// launches: fix\\n");
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "\r", "right, 7 times as fast");
    press(s, "t", "TRIES, and the share");
    press(s, "k", "TRIES, and the share");
    press(s, "d", "TRY 1 (-) AND THE FILE NOW (+)");
    screen_expect(s, "+ launches: fix");
    press(s, "\x1b", "TRIES, and the share");
    press(s, " ", "*  1 ");
    press(s, "j", "TRIES, and the share");
    press(s, "d", "TRY 1 (-) AND TRY 2 (+)");
    screen_expect(s, "+ launches: fix");
    press(s, "\x1b", "right, 100 % of the gap closed, 2 tries, ");
    press(s, "k", "TRIES, and the share");
    press(s, "u", "The file has the text of try 1; what stood there is kept.");
    screen_expect(s, "   3      right, as fast");
    sh("grep -q 'launches: suspect' '%s'", mine);
    leave(s);
    free(editor);
}

static void an_editor_that_dies_or_is_missing_loses_nothing(void **state)
{
    struct screen *s = open_mend("live", "/nowhere/at-all");
    screen_expect(s, "right, as fast");
    sh("cp '%s' '%s/was'", mine, folder);
    press(s, "\r", "could not be started");
    leave(s);
    s = open_mend("live", "kill -9 $$; true");
    screen_expect(s, "right, as fast");
    press(s, "\r", "ended with an error; the file is as it left it.");
    sh("cmp -s '%s' '%s/was'", mine, folder);
    leave(s);
}

/* One with a window of its own: the terminal says why it stands still, and no longer. */
static void an_editor_elsewhere_is_waited_for_with_words(void **state)
{
    int row, column;
    char *editor = text_format("until [ -e '%s/go' ]; do sleep 0.02; done; true", folder);
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "\r", "to end: each save is judged, and shown then.");
    sh("touch '%s/go'", folder);
    screen_expect(s, "MEND IT");
    assert_false(screen_find(s, "each save is judged, and shown then.", &row, &column));
    leave(s);
    free(editor);
}

static void who_runs_nothing_is_asked_again(void **state)
{
    struct screen *s = begin_asked("live", "true", NULL);
    press(s, "h", "WHAT YOU DID");
    press(s, "\r", "m mend");
    press(s, "m", "y yes, run it");
    press(s, "y", "This is code of your own.");
    press(s, "n", "nothing is judged. The next save asks again.");
    sh("echo '// more' >>'%s'", mine);
    screen_expect(s, "This is code of your own.");
    press(s, "y", "right, as fast");
    leave(s);
}

static void text_may_be_written_on_the_screen(void **state)
{
    struct screen *s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    press(s, "w", "YOUR TEXT");
    screen_send(s, "\r// fake: wrong\r\t");
    screen_expect(s, "refused: wrong");
    sh("grep -q '^// fake: wrong' '%s'", mine);
    press(s, "w", "YOUR TEXT");
    screen_send(s, "// never saved");
    press(s, "\x1b", "what was typed is the newest of the tries");
    sh("! grep -q 'never saved' '%s'", mine);
    press(s, "t", "  3      laid aside");
    press(s, "u", "The file has the text of try 3");
    sh("grep -q 'never saved' '%s'", mine);
    leave(s);
}

static void writing_begins_at_the_first_error(void **state)
{
    (void)state;
    struct screen *s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    press(s, "w", "YOUR TEXT");
    screen_send(s, "\r// fake: compile\r\t");
    screen_expect(s, "mine.cu(3): error");
    press(s, "w", "YOUR TEXT");
    screen_send(s, "// here\r\t");
    sh("until sed -n 3p '%s' | grep -q '^// here$'; do sleep 0.02; done", mine);
    leave(s);
}

/* A terminal hands bytes on as they come; a byte of another encoding is one, and takes nothing with
 * it. */
static void a_character_may_come_in_pieces(void **state)
{
    struct screen *s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    press(s, "w", "YOUR TEXT");
    press(s, "\r// caf\xc3", "// caf");
    press(s, "\xa9 and more", "// caf\xc3\xa9 and more");
    press(s, "\r// cut\xe2\x82", "// cut");
    press(s, "short", "// cutshort");
    press(s, "\r// old \x9b" "31m red", "// old \xef\xbf\xbd" "31m red");
    press(s, "\r\x1b[200~// pasted \x9b" "31m\xc2\x9b" "2J\xff end\x1b[201~", " end");
    screen_send(s, "\t");
    screen_expect(s, "right, as fast");
    sh("grep -q '^// caf\xc3\xa9 and more$' '%s'", mine);
    sh("grep -q '^// pasted .*31m.*2J.* end$' '%s'", mine);
    leave(s);
}

static void what_is_typed_outlives_a_kill(void **state)
{
    struct screen *s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    press(s, "w", "YOUR TEXT");
    press(s, "\r// fake: size\r", "// fake: size");
    sh("until grep -qs '^// fake: size' '%s.draft'; do sleep 0.02; done", mine);
    kill(screen_pid(s), SIGKILL);
    screen_wait_exit(s);
    screen_free(s);
    s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    press(s, "w", "Taken up where it was left");
    screen_send(s, "\t");
    screen_expect(s, "refused: size");
    sh("grep -q '^// fake: size' '%s' && ! test -e '%s.draft'", mine, mine);
    leave(s);
}

static void a_file_that_is_spoilt_is_told(void **state)
{
    struct screen *s = open_mend("live", "true");
    screen_expect(s, "right, as fast");
    sh(": >'%s'", mine);
    screen_expect(s, "is empty; what was judged before is kept. Tab, then u, puts a try's text");
    sh("printf 'a\\000b' >'%s'", mine);
    screen_expect(s, "holds what is no text");
    sh("rm '%s' && ln -s /etc/passwd '%s'", mine, mine);
    screen_expect(s, "is a symbolic link");
    sh("rm '%s'", mine);
    screen_expect(s, "is gone");
    press(s, "t", "TRIES, and the share");
    press(s, "u", "The file has the text of try 1");
    press(s, "t", "right, as fast");
    leave(s);
}

static void a_cause_that_was_named_is_suggested_until_it_is_mended(void **state)
{
    char *editor = editor_that_writes("good", "// fake: time 1\\n// launches: fix\\n");
    static const char words[] = "its cause was named, not mended yet";
    int row, column;
    struct screen *s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "\x1b", "m mend");
    press(s, "m", "right, as fast");
    press(s, "t", ", 1 try, "); /* what was judged before is no try more */
    press(s, "t", "MEND IT");
    press(s, "\x1b", "m mend");
    press(s, "\x1b", "warpdrill   history");
    press(s, "\x1b", words);
    leave(s);
    s = begin("live", editor);
    screen_expect(s, words); /* the GPU answers when home is there already */
    leave(s);
    s = open_mend("live", editor);
    screen_expect(s, "right, as fast");
    press(s, "\r", "right, 7 times as fast");
    press(s, "\x1b", "m mend");
    press(s, "\x1b", "warpdrill   history");
    press(s, "\x1b", "NEXT");
    assert_false(screen_find(s, words, &row, &column));
    leave(s);
    free(editor);
}

static void without_a_gpu_what_cannot_be_judged_is_said(void **state)
{
    struct screen *s = open_mend("no-gpu", "true");
    screen_expect(s, "There is no GPU here");
    screen_expect_gone(s, "s sanitize");
    screen_expect_gone(s, "e explain");
    press(s, "s", "compute-sanitizer runs the text, so it needs a GPU");
    press(s, "e", "No figure has moved yet");
    press(s, "?", "all tries so far");
    screen_expect_gone(s, "compute-sanitizer");
    press(s, "\x1b", "h hint");
    press(s, "t", "TRIES, and the share");
    screen_expect_gone(s, "u back to it");
    press(s, "u", "There is no try yet: one is kept when a GPU has judged a text.");
    press(s, "t", "h hint");
    press(s, "h", "The cause: uncoalesced");
    press(s, "h", "Where: line");
    press(s, "h", "The remedy: ");
    press(s, "h", "What the fix changes:");
    press(s, "\x1b", "m mend");
    press(s, "m", "MEND IT");
    press(s, "h", "What the fix changes:"); /* the step is kept */
    leave(s);
}

/* At home. The real runner, whose compiler is NVRTC's fake; there is no driver. */
static struct screen *begin_compiling(const char *pack)
{
    char *runner = text_format("%s/warpdrill-runner", build());
    char *data = text_format("XDG_STATE_HOME=%s", folder);
    char *nvrtc = text_format("WARPDRILL_NVRTC=%s/tests/fakes/libfakenvrtc.so", build());
    const char *arguments[] = {"--pack", pack, "--db", database, "--runner", runner, NULL};
    const char *environment[] = {data, nvrtc, "WARPDRILL_CUDA=/nowhere", NULL};
    struct screen_start how = {.rows = 34, .columns = 110, .arguments = arguments,
                               .environment = environment, .data = folder};
    struct screen *s = screen_start(&how);
    free(runner);
    free(data);
    free(nvrtc);
    screen_expect(s, "no GPU here");
    return s;
}

static void without_a_gpu_each_save_is_compiled(void **state)
{
    struct screen *s = begin_compiling(PACK);
    press(s, "h", "WHAT YOU DID");
    press(s, "\r", "m mend");
    press(s, "m", "mine.cu compiles for sm_90 by NVRTC");
    screen_expect(s, "only a GPU can tell");
    sh("echo '// fake: refuse' >>%s", mine);
    screen_expect(s, "mine.cu does not compile for sm_90");
    sh("{ echo '// fake: figures'; cat " PACK "/row-sums/a/sealed/fix.cu; } >%s", mine);
    screen_expect(s, "instructions in PTX            yours       fix");
    screen_expect(s, "4.22 kB");
    screen_expect(s, "by registers");
    press(s, "e", "No figure has moved yet");
    screen_resize(s, 20, 60);
    press(s, "h", "─ HINT ─"); /* what was asked for has its room */
    leave(s);
}

/* What the best of a kernel to be written needs is told once it is open, and not before. */
static void without_a_gpu_a_closed_best_stays_closed(void **state)
{
    char *pack = text_format("%s/good", folder);
    size_t n;
    sh("cp -R " PACK " %s && echo '// fake: figures' >>%s/row-sums/a/sealed/fix.cu", pack, pack);
    struct screen *s = begin_compiling(pack);
    press(s, "m", "WRITE IT");
    choose(s, "Twice each number", "The sum of each row");
    press(s, "\r", "mine.cu compiles for sm_90 by NVRTC");
    screen_expect(s, "only a GPU can tell");
    assert_null(strstr(screen_bytes(s, &n), "255"));
    assert_null(strstr(screen_bytes(s, &n), "4.22 kB"));
    assert_null(strstr(screen_bytes(s, &n), "best  "));
    leave(s);
    sh("'%s/warpdrill' --pack %s --db %s write row-sums give-up >/dev/null", build(), pack,
       database);
    s = begin_compiling(pack);
    press(s, "m", "WRITE IT");
    choose(s, "Twice each number", "The sum of each row");
    press(s, "\r", "4.22 kB");
    screen_expect(s, "255");
    leave(s);
    free(pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_save_is_judged_and_what_changed_is_told, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(a_kernel_is_written_from_nothing, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(each_save_is_judged_while_the_editor_is_open, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(a_text_is_run_under_the_sanitizer, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(tries_are_compared_and_taken_back, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(an_editor_that_dies_or_is_missing_loses_nothing, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(an_editor_elsewhere_is_waited_for_with_words, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(who_runs_nothing_is_asked_again, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(text_may_be_written_on_the_screen, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(writing_begins_at_the_first_error, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(a_character_may_come_in_pieces, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(what_is_typed_outlives_a_kill, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(a_file_that_is_spoilt_is_told, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(a_cause_that_was_named_is_suggested_until_it_is_mended,
                                        set_up, folder_remove),
        cmocka_unit_test_setup_teardown(without_a_gpu_what_cannot_be_judged_is_said, set_up,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(without_a_gpu_each_save_is_compiled, set_up, folder_remove),
        cmocka_unit_test_setup_teardown(without_a_gpu_a_closed_best_stays_closed, set_up,
                                        folder_remove),
    };
    return RUN_CASES(tests, NULL, NULL);
}
