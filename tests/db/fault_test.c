/* A disk that fails at its Nth write, truncation or sync, for every N that the work below reaches:
 * refusing, tearing the write in half, or full; once, or from then on for ever. What was acknowledged
 * is there afterwards, what was not is absent or whole, the file is never broken, and repeating a
 * refused step on a disk that works again stores it once. */
#include "db/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/db/sample.h"

enum fault_kind { FAULT_REFUSED, FAULT_TORN, FAULT_FULL, FAULT_KINDS };

static struct {
    int countdown;      /* 0: works */
    bool for_ever, hit;
    enum fault_kind kind;
} disk;

/* ---- a file system that passes everything on, but for the fault ---- */

struct shim_file {
    sqlite3_file base;
    sqlite3_file *real;
};

static sqlite3_file *real_file(sqlite3_file *f)
{
    return ((struct shim_file *)f)->real;
}

static bool fault_now(void)
{
    if (disk.hit)
        return disk.for_ever;
    if (disk.countdown == 0 || --disk.countdown > 0)
        return false;
    disk.hit = true;
    return true;
}

static int shim_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    sqlite3_file *r = real_file(f);
    if (!fault_now())
        return r->pMethods->xWrite(r, bytes, n, at);
    if (disk.kind == FAULT_TORN)
        r->pMethods->xWrite(r, bytes, n / 2, at);
    return disk.kind == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    return fault_now() ? SQLITE_IOERR_TRUNCATE : real_file(f)->pMethods->xTruncate(real_file(f), size);
}

static int shim_sync(sqlite3_file *f, int flags)
{
    return fault_now() ? SQLITE_IOERR_FSYNC : real_file(f)->pMethods->xSync(real_file(f), flags);
}

static int shim_close(sqlite3_file *f) { return real_file(f)->pMethods->xClose(real_file(f)); }
static int shim_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at) { return real_file(f)->pMethods->xRead(real_file(f), p, n, at); }
static int shim_size(sqlite3_file *f, sqlite3_int64 *n) { return real_file(f)->pMethods->xFileSize(real_file(f), n); }
static int shim_lock(sqlite3_file *f, int level) { return real_file(f)->pMethods->xLock(real_file(f), level); }
static int shim_unlock(sqlite3_file *f, int level) { return real_file(f)->pMethods->xUnlock(real_file(f), level); }
static int shim_reserved(sqlite3_file *f, int *out) { return real_file(f)->pMethods->xCheckReservedLock(real_file(f), out); }
static int shim_control(sqlite3_file *f, int op, void *arg) { return real_file(f)->pMethods->xFileControl(real_file(f), op, arg); }
static int shim_sector(sqlite3_file *f) { return real_file(f)->pMethods->xSectorSize(real_file(f)); }
static int shim_traits(sqlite3_file *f) { return real_file(f)->pMethods->xDeviceCharacteristics(real_file(f)); }
static int shim_map(sqlite3_file *f, int page, int n, int extend, void volatile **out) { return real_file(f)->pMethods->xShmMap(real_file(f), page, n, extend, out); }
static int shim_map_lock(sqlite3_file *f, int at, int n, int flags) { return real_file(f)->pMethods->xShmLock(real_file(f), at, n, flags); }
static void shim_barrier(sqlite3_file *f) { real_file(f)->pMethods->xShmBarrier(real_file(f)); }
static int shim_unmap(sqlite3_file *f, int remove_it) { return real_file(f)->pMethods->xShmUnmap(real_file(f), remove_it); }

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2, .xClose = shim_close, .xRead = shim_read, .xWrite = shim_write, .xTruncate = shim_truncate,
    .xSync = shim_sync, .xFileSize = shim_size, .xLock = shim_lock, .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_reserved, .xFileControl = shim_control, .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_traits, .xShmMap = shim_map, .xShmLock = shim_map_lock,
    .xShmBarrier = shim_barrier, .xShmUnmap = shim_unmap,
};

static sqlite3_vfs *real_vfs, shim_vfs;

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
    struct shim_file *file = (struct shim_file *)f;
    (void)vfs;
    file->real = (sqlite3_file *)(file + 1);
    int rc = real_vfs->xOpen(real_vfs, name, file->real, flags, out_flags);
    file->base.pMethods = file->real->pMethods ? &shim_methods : NULL;
    return rc;
}

static int install_shim(void **state)
{
    (void)state;
    real_vfs = sqlite3_vfs_find(NULL);
    shim_vfs = *real_vfs;
    shim_vfs.zName = "failing-disk";
    shim_vfs.szOsFile = (int)sizeof(struct shim_file) + real_vfs->szOsFile;
    shim_vfs.xOpen = shim_open;
    return sqlite3_vfs_register(&shim_vfs, 1);
}

/* ---- the work ---- */

enum { STEPS = 7, DOOMED = 100 };

static int append_doomed(struct store *s)
{
    struct store_event e = sample_event(DOOMED);
    snprintf(e.stream, sizeof e.stream, "item:doomed");
    return store_append(s, &e, NULL, 0, NULL);
}

/* Stops at the first step that stays refused; one repetition is allowed. Returns steps acknowledged. */
static int work(const char *path, bool *erased)
{
    struct store *s;
    int done = 0;
    *erased = false;
    if (store_open(&s, path, 0) == STORE_OK) {
        while (done < STEPS) {
            unsigned number = (unsigned)done + 1;
            if (sample_step(s, number) != STORE_OK) {
                assert_true(strlen(store_message(s)) > 0);
                int again = sample_step(s, number);
                if (!disk.for_ever)
                    assert_int_equal(again, STORE_OK);
                if (again != STORE_OK)
                    break;
            }
            done++;
        }
        if (done == STEPS)
            *erased = append_doomed(s) == STORE_OK && store_erase(s, "item:doomed") == STORE_OK;
    }
    store_free(s);
    return done;
}

/* On a disk that works again. */
static void check_file(const char *path, int done, bool erased)
{
    struct store *s;
    struct store_event *events;
    int n;
    int rc = store_open(&s, path, 0);
    if (rc != STORE_OK)
        fail_msg("%s", store_message(s));
    assert_int_equal(store_check(s), STORE_OK);
    assert_false(store_needs_rebuild(s));
    assert_in_range(sample_count(s), done, done + 1);
    if (erased) {
        assert_int_equal(store_events(s, "item:doomed", &events, &n), STORE_OK);
        store_events_free(events, n);
        assert_int_equal(n, 0);
    }
    for (unsigned i = 1; i <= STEPS; i++)
        assert_int_equal(sample_step(s, i), STORE_OK);
    assert_int_equal(sample_count(s), STEPS);
    store_free(s);
}

/* False once the fault lies behind the end of the work. */
static bool run_with_fault(int at, enum fault_kind kind, bool for_ever)
{
    char *folder = sample_folder();
    char path[256];
    bool erased;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    disk.countdown = at;
    disk.kind = kind;
    disk.for_ever = for_ever;
    disk.hit = false;
    int done = work(path, &erased);
    bool hit = disk.hit;
    disk.countdown = 0;
    disk.hit = false;
    check_file(path, done, erased);
    sample_folder_free(folder);
    return hit;
}

static void test_no_fault_breaks_the_file(void **state)
{
    (void)state;
    int points = 0;
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        for (int for_ever = 0; for_ever < 2; for_ever++)
            for (int at = 1; run_with_fault(at, kind, for_ever); at++)
                points++;
    print_message("# %d fault points\n", points);
    assert_true(points > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_fault_breaks_the_file)};
    return cmocka_run_group_tests(tests, install_shim, NULL);
}
