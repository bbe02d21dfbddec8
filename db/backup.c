#include "db/backup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/backup_files.h"
#include "db/copy.h"
#include "db/handle.h"
#include "db/moment.h"
#include "db/place.h"

enum { DAY_MS = 24 * 3600 * 1000 };

static bool paused; /* something was restored in this process */

void backup_pause(void)
{
    paused = true;
}

static int refuse(struct store *s, int rc, const char *why)
{
    return store_refuse(s, rc,
                        "cannot make a backup of %s: %s. No half-made backup was left, and your "
                        "progress is as it was. Make room and allow writing where it goes, then do "
                        "it again.",
                        s->path, why);
}

/* ---- making ---- */

/* What the store holds at this moment; the transaction is left open, so that the copy sees the
 * same. */
static int count_events(struct store *s, struct copy_facts *facts, char *why, size_t n)
{
    int rc = store_exec(s, "BEGIN", "read the log");
    if (rc == STORE_OK)
        rc = copy_look(s->db, s->path, false, facts, why, n);
    return rc == STORE_OK ? copy_count(s->db, s->path, facts, why, n) : rc;
}

static int copy_and_verify(struct store *s, const char *part, char *why, size_t n)
{
    struct copy_facts wanted, got;
    sqlite3 *copy = NULL;
    int rc = count_events(s, &wanted, why, n);
    if (rc == STORE_OK)
        rc = copy_to_file(s->db, part, why, n);
    store_rollback(s);
    if (rc == STORE_OK)
        rc = copy_open(&copy, part, why, n);
    if (rc == STORE_OK)
        rc = copy_look(copy, part, true, &got, why, n);
    sqlite3_close(copy);
    if (rc == STORE_OK && (got.events != wanted.events || got.last != wanted.last)) {
        snprintf(why, n, "the copy holds %lld events instead of %lld", (long long)got.events,
                 (long long)wanted.events);
        rc = STORE_DAMAGED;
    }
    if (rc != STORE_OK)
        remove(part);
    return rc;
}

/* Gives the finished copy its name, a second later when that is taken: nothing is ever replaced. */
static char *settle(const char *db_path, const char *part, const char *reason, int64_t at_ms)
{
    for (int tries = 0; tries < 600; tries++, at_ms += 1000) {
        char *name = backup_name(db_path, at_ms, reason);
        struct stat st;
        if (!name)
            return NULL;
        if (link(part, name) == 0) {
            unlink(part);
            place_sync_folder(name);
            return name;
        }
        /* Some file systems have no links. */
        if (errno != EEXIST && stat(name, &st) != 0 && rename(part, name) == 0) {
            place_sync_folder(name);
            return name;
        }
        free(name);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static void thin(const char *db_path, int64_t now_ms)
{
    struct backup_entry *all = NULL;
    int n = 0, good = 0;
    if (backup_list(db_path, &all, &n) != STORE_OK || n == 0)
        return;
    int *days = calloc((size_t)n, sizeof *days), *at = calloc((size_t)n, sizeof *at);
    bool *keep = calloc((size_t)n, sizeof *keep);
    for (int i = 0; days && at && i < n; i++)
        if (all[i].good) { /* what cannot be read is left for a person to look at, and takes no
                              place */
            at[good] = i;
            days[good++] = store_day(all[i].at_ms);
        }
    if (days && at && keep)
        backup_thin(days, good, store_day(now_ms), keep);
    for (int i = 1; days && at && keep && i < good; i++) /* the newest good one always stays */
        if (!keep[i])
            remove(all[at[i]].path);
    free(days);
    free(at);
    free(keep);
    backup_list_free(all, n);
}

static bool reason_ok(const char *reason)
{
    size_t n = strlen(reason);
    return n > 0 && n < sizeof((struct backup_entry *)0)->reason &&
           strspn(reason, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

int backup_make_at(struct store *s, const char *reason, int64_t now_ms, char **path)
{
    char why[256] = "out of memory";
    char *part = backup_part(s->path), *name = NULL;
    if (path)
        *path = NULL;
    int rc = !part ? STORE_FAILED : STORE_OK;
    if (rc == STORE_OK && (s->rebuilding || !reason_ok(reason))) {
        snprintf(why, sizeof why, "this is no moment or no reason ('%.40s') for one", reason);
        rc = STORE_FAILED;
    }
    if (rc == STORE_OK) {
        backup_sweep(s->path, now_ms);
        rc = copy_and_verify(s, part, why, sizeof why);
    }
    if (rc == STORE_OK && !(name = settle(s->path, part, reason, now_ms))) {
        snprintf(why, sizeof why, "%s", strerror(errno));
        rc = STORE_FAILED;
    }
    if (part && !name)
        remove(part);
    free(part);
    if (rc != STORE_OK)
        return refuse(s, rc, why);
    thin(s->path, now_ms);
    if (path)
        *path = name;
    else
        free(name);
    return STORE_OK;
}

/* May a file be made there? 0 or an errno; no folder is made. */
static int look_at_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return access(".", W_OK | X_OK) == 0 ? 0 : errno;
    if ((size_t)(slash - path) + 2 > sizeof folder)
        return ENAMETOOLONG;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

int backup_make_as(struct store *s, const char *path)
{
    char why[256] = "out of memory", *part = NULL;
    int wrong = look_at_folder(path);
    int rc = asprintf(&part, "%s.part-%ld", path, (long)getpid()) < 0 ? STORE_FAILED : STORE_OK;
    if (rc == STORE_OK && wrong) {
        snprintf(why, sizeof why, "%.200s: %s", path, strerror(wrong));
        rc = STORE_FAILED;
    }
    if (rc == STORE_OK && access(path, F_OK) == 0) {
        snprintf(why, sizeof why, "%.200s is there already; name another, nothing is replaced",
                 path);
        rc = STORE_FAILED;
    }
    if (rc == STORE_OK)
        rc = copy_and_verify(s, part, why, sizeof why);
    if (rc == STORE_OK && rename(part, path) != 0) {
        snprintf(why, sizeof why, "%s", strerror(errno));
        remove(part);
        rc = STORE_FAILED;
    }
    place_sync_folder(path);
    free(part);
    return rc == STORE_OK ? rc : refuse(s, rc, why);
}

int backup_make(struct store *s, const char *reason, char **path)
{
    return backup_make_at(s, reason, store_clock(), path);
}

/* ---- by itself ---- */

static bool is_due(struct store *s, int64_t now_ms)
{
    struct copy_facts now;
    struct backup_entry *all = NULL;
    char why[160];
    int n = 0;
    if (copy_look(s->db, s->path, false, &now, why, sizeof why) != STORE_OK || now.events == 0)
        return false;
    if (backup_list(s->path, &all, &n) != STORE_OK)
        return true;
    const struct backup_entry *newest = NULL;
    for (int i = 0; i < n && !newest; i++)
        if (all[i].good)
            newest = &all[i];
    /* One from the future was made by a clock that went wrong. */
    bool due = !newest || ((now_ms - newest->at_ms >= DAY_MS || newest->at_ms > now_ms + DAY_MS) &&
                           (newest->events != now.events || newest->last != now.last));
    backup_list_free(all, n);
    return due;
}

int backup_if_due(struct store *s, int64_t now_ms)
{
    if (paused || s->rebuilding || !is_due(s, now_ms))
        return 0;
    int rc = backup_make_at(s, "daily", now_ms, NULL);
    return rc == STORE_OK ? 1 : rc;
}
