/* Home and first start, the lists behind them, and the key line, at three sizes. The packs and the
 * history are made here. */
#include <sys/stat.h>
#include <unistd.h>

#include "db/store.h"
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char database[96], packs[96];

/* ---- what stands in the store ---- */

static void put_attempt(struct store *s, int k, const char *title, const char *scenario,
                        const char *state, const char *cause, double score, bool counted)
{
    struct store_attempt a = {.started_ms = 1700000000000 + k * 86400000LL,
                              .price = 5 + k,
                              .cause_right = 1,
                              .counted = counted,
                              .on_truth = 0.82};
    struct store_belief beliefs[2] = { { 0, "", "", 82 }, { 0, "", "none.at-limit", 18 } };
    struct store_event e = {.version = 1,
                            .at_ms = a.started_ms,
                            .day = 1,
                            .actor = "self",
                            .audience = "all",
                            .body = (char *)"{}"};
    static const char blob[] = "{}";
    struct store_blob b = {"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", blob,
                           2};
    snprintf(a.uid, sizeof a.uid, "%032d", k);
    snprintf(e.uid, sizeof e.uid, "%032d", 1000 + k);
    snprintf(e.stream, sizeof e.stream, "attempt:%s", a.uid);
    snprintf(e.kind, sizeof e.kind, "started");
    snprintf(a.title, sizeof a.title, "%s", title);
    snprintf(a.scenario, sizeof a.scenario, "%s", scenario);
    snprintf(a.content, sizeof a.content, "%s", b.sha256);
    snprintf(a.state, sizeof a.state, "%s", state);
    snprintf(a.cause, sizeof a.cause, "%s", cause);
    snprintf(a.tier, sizeof a.tier, "recorded");
    snprintf(a.gpu, sizeof a.gpu, "NVIDIA H200");
    snprintf(beliefs[0].hypothesis, sizeof beliefs[0].hypothesis, "%s", cause);
    a.scored = !strcmp(state, "revealed");
    a.score = score;
    struct store_change change = { .attempt = &a, .beliefs = beliefs, .n_beliefs = 2 };
    if (store_append(s, &e, &b, 1, &change) != STORE_OK)
        fail_msg("%s", store_message(s));
}

static void fill_store(void)
{
    struct store *s;
    if (store_open(&s, database, 5000) != STORE_OK)
        fail_msg("%s", store_message(s));
    put_attempt(s, 1, "A plain copy", "p/plain-copy/a", "revealed", "none.at-limit", 88, false);
    put_attempt(s, 2, "Rows of a table", "p/rows/a", "revealed", "mem.uncoalesced", 90, true);
    put_attempt(s, 3, "Rows of a table", "p/rows/b", "revealed", "mem.uncoalesced", 60, true);
    put_attempt(s, 4, "A wide sum", "p/sum/a", "revealed", "mem.uncoalesced", -12, true);
    put_attempt(s, 5, "A wide sum", "p/sum/b", "revealed", "smem.bank-conflict", 44, true);
    store_free(s);
}

static int set_up(void **state)
{
    if (folder_make("home"))
        return -1;
    snprintf(database, sizeof database, "%s/progress.db", folder);
    snprintf(packs, sizeof packs, "%s/packs", folder);
    return mkdir(packs, 0700);
}

static struct screen *open_home(int rows, int columns)
{
    const char *arguments[] = { "--pack", packs, "--db", database, "--runner", "exit 3", NULL };
    struct screen_start how = { .rows = rows, .columns = columns, .arguments = arguments };
    return screen_start(&how);
}

/* ---- the tests ---- */

static void first_start_says_what_this_is(void **state)
{
    struct screen *s = open_home(30, 100);
    screen_expect(s, "first start");
    screen_expect(s, "Find out why before the interviewer runs out of patience.");
    screen_expect(s, "no GPU here: recorded evidence");
    screen_expect(s, "g GPU");
    leave(s);
}

static void groups_have_ranges_from_three_looks_on(void **state)
{
    fill_store();
    struct screen *s = open_home(30, 100);
    int row, column;
    char line[512];
    screen_expect(s, "WHERE YOU STAND");
    screen_expect(s, "? help  q quit");
    assert_true(screen_find(s, "  memory", &row, &column));
    screen_row(s, row, line, sizeof line);
    assert_non_null(strstr(line, "├"));
    assert_non_null(strstr(line, "●"));
    assert_non_null(strstr(line, " to "));
    assert_true(screen_find(s, "shared memory", &row, &column));
    screen_row(s, row, line, sizeof line);
    assert_non_null(strstr(line, "too few"));
    assert_null(strstr(line, "●"));
    screen_expect(s, "HOW SURE, HOW OFTEN RIGHT, %");
    leave(s);
}

static void lately_shows_scores_and_the_uncounted(void **state)
{
    struct screen *s = open_home(30, 100);
    screen_expect(s, "A plain copy (not counted)");
    screen_expect(s, "(88)");
    screen_expect(s, "82 %");
    char below_zero[512];
    int row, column;
    assert_true(screen_find(s, "A wide sum", &row, &column));
    screen_row(s, row + 1, below_zero, sizeof below_zero);
    assert_non_null(strstr(below_zero, "A wide sum"));
    assert_non_null(strstr(below_zero, " 0   "));     /* -12 */
    assert_null(strstr(below_zero, "-"));
    leave(s);
}

static void middle_size_keeps_both_parts(void **state)
{
    struct screen *s = open_home(24, 80);
    screen_expect(s, "nothing was wrong");
    screen_expect(s, "LATELY");
    screen_expect(s, "A wide sum");
    screen_expect(s, "o opt  ? help  q");
    leave(s);
}

static void small_size_turns_panes(void **state)
{
    struct screen *s = open_home(20, 60);
    screen_expect(s, "Tab: lately");
    screen_expect(s, "nothing was wrong");
    screen_send(s, "\t");
    screen_expect_gone(s, "nothing was wrong");
    screen_expect(s, "A plain copy");
    screen_send(s, "\t");
    screen_expect(s, "nothing was wrong");
    leave(s);
}

static void history_lists_all_and_goes_back(void **state)
{
    struct screen *s = open_home(24, 80);
    screen_expect(s, "WHERE YOU STAND");
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    screen_expect(s, "Nov 2023");
    screen_send(s, "\033");
    screen_expect(s, "WHERE YOU STAND");
    leave(s);
}

static void what_cannot_be_read_is_told(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/broken", packs);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/broken/pack.yaml", packs);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("format: \033[31mone\n", f);
    fclose(f);
    struct screen *s = open_home(40, 100);
    screen_expect(s, "Packs left out: 1; s says why");
    screen_send(s, "s");
    screen_expect(s, "LEFT OUT");
    screen_expect(s, "pack.yaml:1");
    leave(s);
}

static void a_store_that_cannot_be_opened_is_told(void **state)
{
    const char *arguments[] = {"--pack",   packs,    "--db", "/dev/null/progress.db",
                               "--runner", "exit 3", NULL};
    struct screen_start how = { .rows = 24, .columns = 80, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "Progress cannot be kept");
    leave(s);
}

/* The rights of a file are nothing to root, so root has the program run by nobody. */
static struct screen *open_as_nobody(void)
{
    const char *bin = getenv("WARPDRILL_BIN");
    const char *arguments[] = {"--reuid=65534",
                               "--regid=65534",
                               "--clear-groups",
                               bin && *bin ? bin : "build/warpdrill",
                               "--pack",
                               packs,
                               "--db",
                               database,
                               "--runner",
                               "exit 3",
                               NULL};
    struct screen_start how = {.rows = 30,
                               .columns = 100,
                               .program = "/usr/bin/setpriv",
                               .arguments = arguments};
    return getuid() == 0 ? screen_start(&how) : open_home(30, 100);
}

static bool may_be_nobody(void)
{
    return getuid() != 0 ||
           system("/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups "
                  "\"${WARPDRILL_BIN:-build/warpdrill}\" --version >/dev/null 2>&1") == 0;
}

static void progress_that_cannot_be_written_is_shown(void **state)
{
    if (!may_be_nobody()) {
        print_message("# nobody cannot be had here, or may not run the program\n");
        return;
    }
    assert_int_equal(chmod(database, 0444) | chmod(folder, 0555) | chmod(packs, 0755), 0);
    struct screen *s = open_as_nobody();
    screen_expect(s, "Nothing is kept now: progress can be read and not written");
    screen_expect(s, "A wide sum");
    screen_expect_gone(s, "first start");
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    screen_expect(s, "A plain copy");
    screen_send(s, "\033");
    leave(s);
    assert_int_equal(chmod(database, 0600) | chmod(folder, 0700), 0);
}

/* ---- the GPU page ---- */

static void a_runner_command_is_typed_tried_and_remembered(void **state)
{
    struct screen *s = open_home(30, 100);
    screen_expect(s, "no GPU here");
    screen_send(s, "g");
    screen_expect(s, "WHERE IS YOURS?");
    screen_send(s, "?");
    screen_expect(s, "whose recordings are played");
    screen_expect_gone(s, "Up k");               /* nothing there moves */
    screen_send(s, "\x1b");
    screen_expect(s, "x stop");
    screen_send(s, "\r");
    screen_expect(s, "Esc cancels");
    screen_send(s, "\025echo hel\177llo from the gr\303\274n host; exit 4\r");
    screen_expect(s, "hello from the grün host");
    screen_expect(s, "no GPU was reached");
    leave(s);
    const char *arguments[] = { "--pack", packs, "--db", database, NULL };
    struct screen_start how = { .rows = 30, .columns = 100, .arguments = arguments };
    s = screen_start(&how);
    screen_expect(s, "no GPU here");
    screen_send(s, "g");
    screen_expect(s, "hello from the grün host");
    leave(s);
}

static void a_pasted_command_waits_for_enter(void **state)
{
    struct screen *s = open_home(30, 100);
    screen_expect(s, "no GPU here");
    screen_send(s, "g");
    screen_expect(s, "WHERE IS YOURS?");
    screen_send(s, "\r");
    screen_expect(s, "Esc cancels");
    screen_send(s, "\025\033[200~echo one\r echo two\033[201~");
    screen_expect(s, "echo one  echo two");
    screen_expect(s, "Esc cancels");
    screen_send(s, "\033");
    screen_expect_gone(s, "Esc cancels");
    screen_expect(s, "exit 3");
    leave(s);
}

static void a_silent_runner_is_called_off(void **state)
{
    const char *arguments[] = {"--pack",          packs, "--db", database, "--runner",
                               "exec sleep 1000", NULL};
    struct screen_start how = { .rows = 30, .columns = 100, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "looking for a GPU");
    screen_send(s, "h");
    screen_expect(s, "WHAT YOU DID");
    screen_send(s, "\033g");
    screen_expect(s, "looking");
    screen_send(s, "\033");
    screen_expect(s, "WHERE YOU STAND");
    leave(s);
}

static struct screen *open_with_fake(const char *kind)
{
    const char *build = getenv("BUILD");
    char command[512];
    snprintf(command, sizeof command, "%s/tests/fakes/fake_runner %s",
             build && *build ? build : "build", kind);
    const char *arguments[] = { "--pack", packs, "--db", database, "--runner", command, NULL };
    struct screen_start how = { .rows = 30, .columns = 100, .arguments = arguments };
    return screen_start(&how);
}

static void a_gpu_is_shown_with_what_it_lacks(void **state)
{
    struct screen *s = open_with_fake("noisy");
    screen_expect(s, "Fake GPU, live");
    screen_send(s, "g");
    screen_expect(s, "ready: measurements are live");
    screen_expect(s, "n/a  the fake has no pipes; use a real GPU");
    screen_expect(s, "Welcome to gpubox.");
    leave(s);
}

/* Measured once, when a runner with two GPUs is met. */
static void links_between_gpus_are_shown(void **state)
{
    setenv("WARPDRILL_FAKE_GPUS", "2", 1);
    struct screen *s = open_with_fake("good");
    unsetenv("WARPDRILL_FAKE_GPUS");
    screen_expect(s, "Fake GPU, live");
    screen_send(s, "g");
    screen_expect(s, "ready: measurements are live");
    screen_expect(s, "peer copy    200 GB/s one way, 160 GB/s each way at once");
    screen_expect(s, "10.0 \302\265s + bytes / (250 GB/s), off by 4 %");
    leave(s);
}

static void a_runner_is_stopped_and_started_again(void **state)
{
    struct screen *s = open_with_fake("good");
    screen_expect(s, "Fake GPU, live");
    screen_send(s, "g");
    screen_expect(s, "ready: measurements are live");
    screen_send(s, "x");
    screen_expect(s, "stopped; r starts it again");
    screen_expect(s, "no GPU here");
    screen_send(s, "r");
    screen_expect(s, "ready: measurements are live");
    leave(s);
}

static void a_queue_is_shown_and_left(void **state)
{
    const char *arguments[] =
        {"--pack",   packs,
         "--db",     database,
         "--runner", "echo 'srun: job 7 queued and waiting for resources' >&2; exec sleep 1000",
         NULL};
    struct screen_start how = { .rows = 24, .columns = 80, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "in a queue for 0:01");
    screen_send(s, "g");
    screen_expect(s, "in Slurm's queue for 0:02 (job 7)");
    screen_send(s, "x");
    screen_expect(s, "stopped; r starts it again");
    leave(s);
}

static void no_gpu_comes_with_a_remedy(void **state)
{
    struct screen *s = open_with_fake("no-gpu");
    screen_expect(s, "no GPU here: recorded evidence");
    screen_send(s, "g");
    screen_expect(s, "there is no NVIDIA driver here; name a machine");
    leave(s);
}

static void another_version_is_told(void **state)
{
    struct screen *s = open_with_fake("wrong-version");
    screen_expect(s, "no GPU here: recorded evidence");
    screen_send(s, "g");
    screen_expect(s, "this warpdrill (0.1.0) protocol 1");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_start_says_what_this_is),
        cmocka_unit_test(groups_have_ranges_from_three_looks_on),
        cmocka_unit_test(lately_shows_scores_and_the_uncounted),
        cmocka_unit_test(middle_size_keeps_both_parts),
        cmocka_unit_test(small_size_turns_panes),
        cmocka_unit_test(history_lists_all_and_goes_back),
        cmocka_unit_test(what_cannot_be_read_is_told),
        cmocka_unit_test(a_store_that_cannot_be_opened_is_told),
        cmocka_unit_test(progress_that_cannot_be_written_is_shown),
        cmocka_unit_test(a_runner_command_is_typed_tried_and_remembered),
        cmocka_unit_test(a_pasted_command_waits_for_enter),
        cmocka_unit_test(a_silent_runner_is_called_off),
        cmocka_unit_test(a_runner_is_stopped_and_started_again),
        cmocka_unit_test(a_queue_is_shown_and_left),
        cmocka_unit_test(a_gpu_is_shown_with_what_it_lacks),
        cmocka_unit_test(links_between_gpus_are_shown),
        cmocka_unit_test(no_gpu_comes_with_a_remedy),
        cmocka_unit_test(another_version_is_told),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
