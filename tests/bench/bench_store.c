/* Speed of the store: one believed move is one commit, as in an investigation. Prints commits per
 * second and the distribution of one commit's latency; the file lies in TMPDIR (default /tmp). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"
#include "tests/bench/bench.h"

enum { COMMITS = 5000, WARM = 100 };

static int commit(struct store *s, int number)
{
    char body[] =
        "{\"points\":{\"mem.uncoalesced\":60,\"smem.bank-conflict\":20,\"none.at-limit\":20}}";
    struct store_event e = {.stream = "attempt:bench",
                            .kind = "believed",
                            .at_ms = 1700000000000 + number,
                            .body = body};
    snprintf(e.uid, sizeof e.uid, "%032x", number);
    return store_append(s, &e, NULL, 0, NULL);
}

static int measure(struct store *s)
{
    static double took[COMMITS];
    double begin = 0;
    for (int i = 0; i < WARM + COMMITS; i++) {
        double before = now_ms();
        if (i == WARM)
            begin = before;
        if (commit(s, i) != STORE_OK) {
            fprintf(stderr, "%s\n", store_message(s));
            return 1;
        }
        if (i >= WARM)
            took[i - WARM] = now_ms() - before;
    }
    double rate = 1e3 * COMMITS / (now_ms() - begin);
    qsort(took, COMMITS, sizeof *took, by_size);
    printf("store   %d commits, %.0f/s; one commit p50 %.3f ms, p90 %.3f, p99 %.3f, most %.3f\n",
           COMMITS, rate, took[COMMITS / 2], took[COMMITS * 9 / 10], took[COMMITS * 99 / 100],
           took[COMMITS - 1]);
    return 0;
}

int main(void)
{
    char folder[256], path[300];
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/warpdrill-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/progress.db", folder);
    struct store *s;
    int failed = store_open(&s, path, 5000) != STORE_OK;
    if (failed)
        fprintf(stderr, "%s\n", store_message(s));
    else
        failed = measure(s);
    store_free(s);
    remove(path);
    rmdir(folder);
    return failed;
}
