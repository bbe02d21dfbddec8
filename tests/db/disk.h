/* A disk that fails, or a program that is killed, at its Nth write, truncation, sync, opening or
 * deletion: a VFS that passes everything on but for the fault. */
#ifndef WD_TESTS_DB_DISK_H
#define WD_TESTS_DB_DISK_H

#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include <sqlite3.h>

/* FAULT_KILLED counts openings and deletions too: this process dies there. */
enum fault_kind { FAULT_REFUSED, FAULT_TORN, FAULT_FULL, FAULT_KINDS, FAULT_KILLED };

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
    if (disk.kind == FAULT_KILLED && disk.countdown == 1)
        kill(getpid(), SIGKILL);
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
    return fault_now() ? SQLITE_IOERR_TRUNCATE
                       : real_file(f)->pMethods->xTruncate(real_file(f), size);
}

/* A killed process leaves what it wrote to the system, so waiting for the disk proves nothing. */
static int shim_sync(sqlite3_file *f, int flags)
{
    (void)f;
    (void)flags;
    return fault_now() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int shim_close(sqlite3_file *f) { return real_file(f)->pMethods->xClose(real_file(f)); }
static int shim_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at)
{
    return real_file(f)->pMethods->xRead(real_file(f), p, n, at);
}
static int shim_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return real_file(f)->pMethods->xFileSize(real_file(f), n);
}
static int shim_lock(sqlite3_file *f, int level)
{
    return real_file(f)->pMethods->xLock(real_file(f), level);
}
static int shim_unlock(sqlite3_file *f, int level)
{
    return real_file(f)->pMethods->xUnlock(real_file(f), level);
}
static int shim_reserved(sqlite3_file *f, int *out)
{
    return real_file(f)->pMethods->xCheckReservedLock(real_file(f), out);
}
static int shim_control(sqlite3_file *f, int op, void *arg)
{
    return real_file(f)->pMethods->xFileControl(real_file(f), op, arg);
}
static int shim_sector(sqlite3_file *f)
{
    return real_file(f)->pMethods->xSectorSize(real_file(f));
}
static int shim_traits(sqlite3_file *f)
{
    return real_file(f)->pMethods->xDeviceCharacteristics(real_file(f));
}
static int shim_map(sqlite3_file *f, int page, int n, int extend, void volatile **out)
{
    return real_file(f)->pMethods->xShmMap(real_file(f), page, n, extend, out);
}
static int shim_map_lock(sqlite3_file *f, int at, int n, int flags)
{
    return real_file(f)->pMethods->xShmLock(real_file(f), at, n, flags);
}
static void shim_barrier(sqlite3_file *f) { real_file(f)->pMethods->xShmBarrier(real_file(f)); }
static int shim_unmap(sqlite3_file *f, int remove_it)
{
    return real_file(f)->pMethods->xShmUnmap(real_file(f), remove_it);
}

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2,
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_reserved,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_traits,
    .xShmMap = shim_map,
    .xShmLock = shim_map_lock,
    .xShmBarrier = shim_barrier,
    .xShmUnmap = shim_unmap,
};

static sqlite3_vfs *real_vfs, shim_vfs;

static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    (void)sync;
    if (disk.kind == FAULT_KILLED)
        fault_now();
    return real_vfs->xDelete(real_vfs, name, 0);
}

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
    struct shim_file *file = (struct shim_file *)f;
    (void)vfs;
    if (disk.kind == FAULT_KILLED)
        fault_now();
    file->real = (sqlite3_file *)(file + 1);
    int rc = real_vfs->xOpen(real_vfs, name, file->real, flags, out_flags);
    file->base.pMethods = file->real->pMethods ? &shim_methods : NULL;
    return rc;
}

static int install_shim(void **state)
{
    mallopt(M_TRIM_THRESHOLD, 64 << 20); /* SQLite's pages go and come back with each opening */
    real_vfs = sqlite3_vfs_find(NULL);
    shim_vfs = *real_vfs;
    shim_vfs.zName = "failing-disk";
    shim_vfs.szOsFile = (int)sizeof(struct shim_file) + real_vfs->szOsFile;
    shim_vfs.xOpen = shim_open;
    shim_vfs.xDelete = shim_delete;
    return sqlite3_vfs_register(&shim_vfs, 1);
}

#endif
