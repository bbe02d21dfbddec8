/* An import on a disk that fails at its Nth operation, or killed there, for every N: all of it is
 * there afterwards, or nothing. An export to a full disk leaves nothing. */
#include "drills/transfer/transfer.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "db/bulk.h"
#include "db/items.h"
#include "drills/memory/review.h"
#include "tests/db/disk.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

enum { HERE = 3, THERE = 12 };
#define NOON 1767268800000LL

struct scene { char *folder, here[128], file[128]; };

static void review_some(struct store *s, int first, int n)
{
    for (int i = first; i < first + n; i++) {
        struct review r = {.how = DRILL_RIGHT,
                           .seconds = 3,
                           .allowed = 30,
                           .given = "5 ms",
                           .slip = ""};
        struct err err;
        char uid[33];
        snprintf(r.item, sizeof r.item, "card:set/c%d", i % 4);
        snprintf(uid, sizeof uid, "%032x", i);
        if (review_write(s, &r, uid, NOON + i * 86400000LL, 0.9, &err) < 0)
            fail_msg("%s", err.text);
    }
}

static void scene_make(struct scene *c)
{
    struct store *s;
    struct err err;
    char there[128];
    c->folder = sample_folder();
    snprintf(c->here, sizeof c->here, "%s/here.db", c->folder);
    snprintf(c->file, sizeof c->file, "%s/log.json", c->folder);
    snprintf(there, sizeof there, "%s/there.db", c->folder);
    assert_int_equal(store_open(&s, there, 0), STORE_OK);
    review_some(s, 100, THERE);
    assert_int_equal(transfer_write_file(s, c->file, &err), 0);
    store_free(s);
    assert_int_equal(store_open(&s, c->here, 0), STORE_OK);
    review_some(s, 1, HERE);
    store_free(s);
}

/* Returns whether it said that all went well. */
static bool import(const struct scene *c)
{
    struct store *s;
    struct err err = {0};
    struct transfer_report r = {0};
    bool good =
        store_open(&s, c->here, 0) == STORE_OK && transfer_read(s, c->file, false, &r, &err) == 0;
    transfer_report_free(&r);
    store_free(s);
    return good;
}

static void check(const struct scene *c, bool done)
{
    struct store *s;
    struct store_review *reviews;
    int64_t events, blobs;
    int n;
    if (store_open(&s, c->here, 0) != STORE_OK)
        fail_msg("%s", store_message(s));
    assert_int_equal(store_check(s), STORE_OK);
    assert_false(store_needs_rebuild(s)); /* the rows came in the same transaction */
    assert_int_equal(store_count(s, &events, &blobs), STORE_OK);
    assert_true(events == HERE + THERE || (events == HERE && !done));
    assert_int_equal(store_reviews(s, NULL, 0, 0, &reviews, &n), STORE_OK);
    assert_int_equal(n, events);
    free(reviews);
    store_free(s);
    assert_true(import(c));
}

static bool run(int at, enum fault_kind kind, bool for_ever)
{
    struct scene c;
    bool done = false;
    int status = 0;
    scene_make(&c);
    disk.countdown = at;
    disk.kind = kind;
    disk.for_ever = for_ever;
    disk.hit = false;
    pid_t child = kind == FAULT_KILLED ? fork() : -1;
    if (child <= 0)
        done = import(&c);
    if (child == 0)
        _exit(0);
    if (child > 0)
        assert_int_equal(waitpid(child, &status, 0), child);
    bool hit = child > 0 ? WIFSIGNALED(status) : disk.hit;
    disk.countdown = 0;
    disk.kind = FAULT_REFUSED;
    disk.hit = disk.for_ever = false;
    check(&c, done);
    sample_folder_free(c.folder);
    return hit;
}

static void test_all_of_it_or_nothing(void **state)
{
    int faults = 0, kills = 0;
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        for (int for_ever = 0; for_ever < 2; for_ever++)
            for (int at = 1 + (int)kind % ONE_OF; run(at, kind, for_ever); at += ONE_OF)
                faults++;
    for (int at = 1; run(at, FAULT_KILLED, false); at += ONE_OF)
        kills++;
    print_message("# %d faults, %d kills\n", faults, kills);
    assert_true(faults > 60 / ONE_OF && kills > 10 / ONE_OF);
}

static void test_an_export_to_a_full_disk_leaves_nothing(void **state)
{
    struct scene c;
    struct store *s;
    struct rlimit old, small;
    struct err err = {0};
    char file[160], folder[160], part[200];
    scene_make(&c);
    snprintf(file, sizeof file, "%s/out.json", c.folder);
    snprintf(folder, sizeof folder, "%s/out", c.folder);
    assert_int_equal(store_open(&s, c.here, 0), STORE_OK);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 200;
    setrlimit(RLIMIT_FSIZE, &small);
    int json = transfer_write_file(s, file, &err), csv = transfer_write_csv(s, folder, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(json, ERR_IO);
    assert_int_equal(csv, ERR_IO);
    assert_non_null(strstr(err.text, "cannot be written"));
    snprintf(part, sizeof part, "%s.part-%ld", folder, (long)getpid());
    assert_true(access(file, F_OK) != 0 && access(folder, F_OK) != 0 && access(part, F_OK) != 0);
    assert_int_equal(transfer_write_file(s, file, &err), 0);
    store_free(s);
    sample_folder_free(c.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_of_it_or_nothing),
                                       cmocka_unit_test(
                                           test_an_export_to_a_full_disk_leaves_nothing)};
    setenv("TZ", "UTC", 1);
    return cmocka_run_group_tests(tests, install_shim, NULL);
}
