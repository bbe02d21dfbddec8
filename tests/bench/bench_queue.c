/* What memory costs: 100,000 reviews over 5,000 items, and two years of 40 reviews a day as they
 * would be lived. For each the size of the file, the time to open it, the time from the file to
 * today's queue, and that of where-you-stand. The file lies in memory where /dev/shm is there
 * (100,000 commits to a disk say nothing about the queue; bench_store does); TMPDIR decides
 * otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "drills/memory/review.h"
#include "db/items.h"
#include "drills/progress/queue_load.h"
#include "drills/progress/standing_load.h"
#include "tests/bench/bench.h"

enum { RUNS = 30, FIRST_DAY = 19723, DAY_MS = 86400000 };
#define LIMIT_MS 50

static uint64_t seed = 1;
static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static int64_t noon(int day)
{
    return (int64_t)day * DAY_MS + DAY_MS / 2;
}

/* ---- a life ---- */

static int write_review(struct store *store, const struct queue_item *it, int64_t at_ms)
{
    static const char *const slips[] = {"bits for bytes: eight times too much",
                                        "a power of ten too little", "That is one GPU alone."};
    unsigned luck = draw(10);
    struct review r = {.how = luck == 0   ? DRILL_SLIP
                              : luck == 1 ? DRILL_WRONG
                                          : DRILL_RIGHT,
                       .seconds = 5 + draw(80),
                       .allowed = it->seconds,
                       .given = "5.22 ms",
                       .slip = luck == 0 ? slips[draw(3)] : ""};
    char uid[33] = "";
    struct err err;
    snprintf(r.item, sizeof r.item, "%s", it->id);
    if (it->kind == QUEUE_DRILL) {
        r.numbered = true;
        r.seed = draw(1000000);
        r.unit = "s";
        r.truth = 5.2239e-3;
        r.value = luck == 0 ? 41.8e-3 : 5.22e-3;
        r.log_error = luck == 0 ? 2.079 : -0.001;
        r.low = 4e-3;
        r.high = 6e-3;
        r.confidence = draw(4) ? 0 : 0.8;
    }
    if (review_write(store, &r, uid, at_ms, 0.9, &err) >= 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}

/* Content as a library would give it: a third drills. */
static struct queue_item *content(int n)
{
    static const char *const topics[] = {"silicon", "kernels",   "roofline", "formats",
                                         "memory",  "inference", "training", "collectives"};
    struct queue_item *items = calloc((size_t)n, sizeof *items);
    for (int i = 0; items && i < n; i++) {
        items[i].kind = i % 3 ? QUEUE_CARD : QUEUE_DRILL;
        snprintf(items[i].id, sizeof items[i].id, "%s:%s/unit-%d", i % 3 ? "card" : "drill",
                 topics[i % 8], i);
        items[i].topic = topics[i % 8];
        items[i].level = 1 + i % 5;
        items[i].seconds = i % 3 ? 15 : 60;
    }
    return items;
}

/* Every item again and again, evenly over two years. */
static int fill_evenly(struct store *store, const struct queue_item *items, int n, int reviews)
{
    for (int i = 0; i < reviews; i++)
        if (write_review(store, &items[i % n],
                         noon(FIRST_DAY + (int)(730LL * i / reviews)) + i % 1000))
            return 1;
    return 0;
}

static void refresh(struct queue_item *items, int n, struct store *store)
{
    for (int i = 0; i < n; i++) {
        struct store_item row;
        store_item_get(store, items[i].id, &row);
        items[i].memory = row.memory;
    }
}

/* Each day the queue's first, at most so many. */
static int live(struct store *store, struct queue_item *items, int n, int days, int a_day,
                int *reviews)
{
    struct queue_settings s = queue_default;
    for (s.today = FIRST_DAY; s.today < FIRST_DAY + days; s.today++)
        for (int done = 0; done < a_day;) {
            struct queue q;
            s.now_ms = noon(s.today) + done * 60000;
            queue_build(&q, items, n, &s);
            int take = q.n_now < a_day - done ? q.n_now : a_day - done;
            for (int i = 0; i < take; i++) {
                struct queue_item *it = &items[q.entries[i].item];
                if (write_review(store, it, s.now_ms + i * 60000))
                    return 1;
                refresh(it, 1, store);
            }
            queue_free(&q);
            *reviews += take;
            done += take ? take : a_day;
        }
    return 0;
}

/* ---- measuring ---- */

static void say(const char *what, double took[RUNS])
{
    qsort(took, RUNS, sizeof *took, by_size);
    printf("        %-28s p50 %.2f ms, p90 %.2f, most %.2f\n", what, took[RUNS / 2],
           took[RUNS * 9 / 10], took[RUNS - 1]);
}

/* Opens, reads what memory holds, builds the queue, where-you-stand: each RUNS times. Returns 1
 * when the queue is slower than promised. */
static int measure(const char *path, const struct queue_item *items, int n, int today)
{
    double opened[RUNS], queued[RUNS], built[RUNS], stood[RUNS];
    int n_now = 0;
    for (int i = 0; i < RUNS; i++) {
        struct store *store;
        struct queue_item *all;
        struct queue q;
        struct standing st;
        struct queue_settings s;
        int n_all;
        double at = now_ms();
        if (store_open(&store, path, 5000) != STORE_OK || store_needs_rebuild(store))
            return 1;
        opened[i] = now_ms() - at;
        at = now_ms();
        queue_settings_load(&s, store, noon(today));
        queue_load(&all, &n_all, NULL, store, false,
                   NULL); /* no library: what the store holds, with topics below */
        for (int k = 0; k < n_all; k++) {
            all[k].absent = NULL;
            all[k].topic = items[k % n].topic;
        }
        double ready = now_ms();
        queue_build(&q, all, n_all, &s);
        queued[i] = now_ms() - at;
        built[i] = now_ms() - ready;
        n_now = q.n_now;
        at = now_ms();
        if (standing_load(&st, store, all, n_all, today, NULL))
            return 1;
        stood[i] = now_ms() - at;
        standing_free(&st);
        queue_free(&q);
        free(all);
        store_free(store);
    }
    say("open", opened);
    say("from the file to the queue", queued);
    say("of which the queue alone", built);
    say("where you stand", stood);
    printf("        %d for today\n", n_now);
    if (queued[RUNS * 9 / 10] >= LIMIT_MS)
        fprintf(stderr, "bench_queue: the queue takes %.0f ms, %d were promised\n",
                queued[RUNS * 9 / 10], LIMIT_MS);
    return queued[RUNS * 9 / 10] >= LIMIT_MS;
}

/* A later program's rows: marked as of another version, they are read from the log again. */
static int rebuild(const char *path)
{
    struct store *store;
    struct err err;
    sqlite3 *db = NULL;
    int rc = sqlite3_open(path, &db) ||
             sqlite3_exec(db, "UPDATE projection SET version = 0", NULL, NULL, NULL);
    sqlite3_close(db);
    if (rc || store_open(&store, path, 5000) != STORE_OK)
        return 1;
    double at = now_ms();
    rc = review_rebuild(store, &err);
    printf("        %-28s %.0f ms\n", "all rows from the log", now_ms() - at);
    store_free(store);
    return rc != 0;
}

static int bench(const char *folder, const char *name, int n_items, int reviews, bool lived)
{
    char path[320];
    struct store *store;
    struct stat st = {0};
    struct queue_item *items = content(n_items);
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    int failed = !items || store_open(&store, path, 5000) != STORE_OK;
    if (failed)
        return 1;
    double at = now_ms();
    if (lived) {
        reviews = 0;
        failed = live(store, items, n_items, 730, 40, &reviews);
    } else {
        failed = fill_evenly(store, items, n_items, reviews);
    }
    double each = (now_ms() - at) / (reviews ? reviews : 1);
    store_free(store);
    stat(path, &st);
    printf("queue   %s: %d reviews of %d items, %.1f MB, %.0f bytes a review; one review %.3f ms\n",
           lived ? "two years, 40 a day" : "large", reviews, n_items, (double)st.st_size / 1e6,
           (double)st.st_size / (reviews ? reviews : 1), each);
    if (!failed)
        failed = measure(path, items, n_items, FIRST_DAY + 731) || rebuild(path);
    remove(path);
    free(items);
    return failed;
}

int main(void)
{
    char folder[256];
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/warpdrill-bench-XXXXXX",
             tmp && *tmp                     ? tmp
             : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                             : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    int failed =
        bench(folder, "large", 5000, 100000, false) || bench(folder, "lived", 700, 0, true);
    rmdir(folder);
    return failed;
}
