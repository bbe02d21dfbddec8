/* Speed of the screen as a person meets it: from starting the program to its first frame, and from
 * a key to the changed picture while a silent runner is being waited for; then the same after years
 * of use. Prints distributions; the bounds that we aim at stand beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/tui/home/lived.h"
#include "tests/tui/screen.h"

enum { STARTS = 40, KEYS = 200, REVIEWS = 100000, LOOKS = 300 };

static int first_frame(void)
{
    double ms[STARTS];
    for (int i = 0; i < STARTS; i++) {
        const struct screen_start how = {.rows = 30, .columns = 100};
        double before = now_ms();
        struct screen *s = screen_start(&how);
        if (!screen_wait(s, "first start"))
            return 1;
        ms[i] = now_ms() - before;
        screen_send(s, "q");
        screen_wait_exit(s);
        screen_free(s);
    }
    show("start to first frame", ms, STARTS, "under 50 ms");
    return 0;
}

static int key_to_paint(void)
{
    char runner[4096];
    double ms[KEYS];
    const char *build = getenv("BUILD");
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner silent", build ? build : "build");
    const char *arguments[] = {"--runner", runner, NULL};
    const struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments};
    struct screen *s = screen_start(&how);
    if (!screen_wait(s, "first start"))
        return 1;
    for (int i = 0; i < KEYS; i++) {
        double before = now_ms();
        screen_send(s, i % 2 ? "\x1bOA" : "\x1bOB");
        if (!screen_wait(s, i % 2 ? "▸ 1" : "▸ 2") ||
            !screen_wait_gone(s, i % 2 ? "▸ 2"
                                       : "▸ 1")) /* all of it: the mark has moved, not doubled */
            return 1;
        ms[i] = now_ms() - before;
    }
    show("key to paint, runner busy", ms, KEYS, "under 10 ms at p99");
    screen_send(s, "q");
    screen_wait_exit(s);
    screen_free(s);
    return 0;
}

/* ---- with 100,000 reviews and 300 scenarios ---- */

static int fill(const char *path)
{
    struct library l;
    struct store *store;
    struct queue_item *items;
    struct err err;
    int n, rc = store_open(&store, path, 5000);
    int64_t now = (int64_t)time(NULL) * 1000;
    library_open(&l);
    queue_load(&items, &n, &l, NULL, false, &err);
    if (rc == STORE_OK && n > 0)
        rc = lived_looks(store, now - 7200000, LOOKS, 730);
    for (int i = 0; i < REVIEWS && rc == 0 && n > 0; i++)
        rc = lived_answer(store, &items[i % n],
                          now - (int64_t)(REVIEWS - i) * 730 * 86400000 / REVIEWS);
    free(items);
    library_free(&l);
    store_free(store);
    return rc || n == 0;
}

/* From the first byte of the program, or from the key, to the text. */
static int time_to(struct screen *s, const char *keys, const char *text, double *ms)
{
    double before = now_ms();
    screen_send(s, keys);
    bool came = screen_wait(s, text);
    *ms = now_ms() - before;
    return !came;
}

static int long_use(void)
{
    static const char *const environment[] = {"WARPDRILL_CONTENT=content/packs", NULL};
    char folder[256], path[300], command[300];
    double start[STARTS], home[STARTS], stand[STARTS];
    snprintf(folder, sizeof folder, "%s/warpdrill-bench-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    int failed = fill(path);
    const char *arguments[] = {"--db", path, "--runner", "exit 3", NULL};
    const struct screen_start how = {.rows = 30,
                                     .columns = 100,
                                     .arguments = arguments,
                                     .environment = environment};
    for (int i = 0; i < STARTS && !failed; i++) {
        double before = now_ms();
        struct screen *s = screen_start(&how);
        failed = !screen_wait(s, "? help  q quit");
        start[i] = now_ms() - before;
        failed = failed || time_to(s, "w", "Tab turn", &stand[i]) ||
                 time_to(s, "\x1b", "WHERE YOU STAND", &home[i]);
        screen_send(s, "q");
        screen_wait_exit(s);
        screen_free(s);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0 || failed)
        return 1;
    printf("100,000 reviews, %d scenarios\n", LOOKS);
    show("  start to home", start, STARTS, "under 100 ms");
    show("  back to home", home, STARTS, "under 100 ms");
    show("  where you stand", stand, STARTS, "under 300 ms");
    return 0;
}

int main(void)
{
    return first_frame() || key_to_paint() || long_use();
}
