#include "db/backup_files.h"

#include <dirent.h>
#include <stdarg.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/copy.h"
#include "db/moment.h"

enum { STAMP = 16, DAYS = 12, WEEKS = 10, MONTHS = 9, DAY_MS = 24 * 3600 * 1000 };

/* ---- names ---- */

static const char *after_slash(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Length of the file's name without a trailing ".db". */
static int base_length(const char *file)
{
    size_t n = strlen(file);
    return (int)(n > 3 && !strcmp(file + n - 3, ".db") ? n - 3 : n);
}

static char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *fmt, ...)
{
    char *out = NULL;
    va_list args;
    va_start(args, fmt);
    int n = vasprintf(&out, fmt, args);
    va_end(args);
    return n < 0 ? NULL : out;
}

static char *folder_of(const char *db_path)
{
    return format("%.*sbackups", (int)(after_slash(db_path) - db_path), db_path);
}

void backup_stamp(char out[17], int64_t at_ms)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;
    if (!gmtime_r(&at, &tm) || strftime(out, STAMP + 1, "%Y%m%dT%H%M%SZ", &tm) != STAMP)
        memcpy(out, "19700101T000000Z", STAMP + 1);
}

char *backup_name(const char *db_path, int64_t at_ms, const char *reason)
{
    const char *file = after_slash(db_path);
    char stamp[STAMP + 1], *folder = folder_of(db_path), *out = NULL;
    backup_stamp(stamp, at_ms);
    if (folder)
        out = format("%s/%.*s-%s-%s.db", folder, base_length(file), file, stamp, reason);
    free(folder);
    return out;
}

char *backup_part(const char *db_path)
{
    char *folder = folder_of(db_path);
    char *out = folder ? format("%s/%.*s.part-%ld", folder, base_length(after_slash(db_path)),
                                after_slash(db_path), (long)getpid())
                       : NULL;
    free(folder);
    return out;
}

static bool read_stamp(const char *text, int64_t *at_ms)
{
    static const char shape[] = "00000000T000000Z";
    int part[6];
    for (int i = 0; i < STAMP; i++)
        if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i])
            return false;
    sscanf(text, "%4d%2d%2dT%2d%2d%2d", &part[0], &part[1], &part[2], &part[3], &part[4], &part[5]);
    *at_ms = (((store_day_of(part[0], part[1], part[2]) * 24LL + part[3]) * 60 + part[4]) * 60 +
              part[5]) *
             1000;
    return part[1] >= 1 && part[1] <= 12;
}

/* BASE-STAMP-REASON.db, nothing else: "progress" has nothing to do with those of "progress-2". */
static bool read_name(struct backup_entry *e, const char *db_path, const char *name)
{
    const char *file = after_slash(db_path);
    size_t base = (size_t)base_length(file), n = strlen(name);
    if (n < base + STAMP + 6 || strncmp(name, file, base) || name[base] != '-' ||
        name[base + 1 + STAMP] != '-' || strcmp(name + n - 3, ".db"))
        return false;
    size_t reason = n - 3 - (base + STAMP + 2);
    if (reason == 0 || reason >= sizeof e->reason || !read_stamp(name + base + 1, &e->at_ms))
        return false;
    snprintf(e->reason, sizeof e->reason, "%.*s", (int)reason, name + base + STAMP + 2);
    return true;
}

/* ---- listing ---- */

static void look_at(struct backup_entry *e)
{
    struct stat st;
    struct copy_facts facts;
    sqlite3 *db = NULL;
    if (stat(e->path, &st) == 0)
        e->size = st.st_size;
    if (copy_open(&db, e->path, e->why, sizeof e->why) == STORE_OK)
        e->good = copy_look(db, e->path, false, &facts, e->why, sizeof e->why) == STORE_OK;
    sqlite3_close(db);
    if (e->good) {
        e->events = facts.events;
        e->more = facts.more;
        e->last = facts.last;
    }
}

static int newest_first(const void *a, const void *b)
{
    const struct backup_entry *x = a, *y = b;
    if (x->at_ms != y->at_ms)
        return x->at_ms < y->at_ms ? 1 : -1;
    return strcmp(y->path, x->path);
}

int backup_list(const char *db_path, struct backup_entry **out, int *n)
{
    char *folder = folder_of(db_path);
    DIR *dir = folder ? opendir(folder) : NULL;
    bool failed = !folder || (!dir && errno != ENOENT);
    *out = NULL;
    *n = 0;
    for (struct dirent *d; dir && !failed && (d = readdir(dir)) != NULL;) {
        struct backup_entry e = {.path = NULL}, *more;
        if (!read_name(&e, db_path, d->d_name))
            continue;
        e.path = format("%s/%s", folder, d->d_name);
        more = e.path ? realloc(*out, ((size_t)*n + 1) * sizeof **out) : NULL;
        failed = !more;
        if (failed) {
            free(e.path);
            break;
        }
        *out = more;
        look_at(&e);
        more[(*n)++] = e;
    }
    if (dir)
        closedir(dir);
    free(folder);
    if (*n)
        qsort(*out, (size_t)*n, sizeof **out, newest_first);
    if (failed) {
        backup_list_free(*out, *n);
        *out = NULL;
        *n = 0;
    }
    return failed ? STORE_FAILED : STORE_OK;
}

void backup_list_free(struct backup_entry *entries, int n)
{
    for (int i = 0; i < n; i++)
        free(entries[i].path);
    free(entries);
}

void backup_sweep(const char *db_path, int64_t now_ms)
{
    const char *file = after_slash(db_path);
    size_t base = (size_t)base_length(file);
    char *folder = folder_of(db_path);
    DIR *dir = folder ? opendir(folder) : NULL;
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        struct stat st;
        char *path = format("%s/%s", folder, d->d_name);
        if (path && !strncmp(d->d_name, file, base) && !strncmp(d->d_name + base, ".part-", 6) &&
            stat(path, &st) == 0 && (int64_t)st.st_mtime * 1000 < now_ms - DAY_MS)
            remove(path);
        free(path);
    }
    if (dir)
        closedir(dir);
    free(folder);
}

/* ---- thinning ---- */

static int week_of(int day)
{
    return (day + 3) / 7; /* 1970-01-01 was a Thursday; weeks begin on Monday */
}

static int month_of(int day)
{
    time_t at = (time_t)day * 24 * 3600;
    struct tm tm;
    return gmtime_r(&at, &tm) ? tm.tm_year * 12 + tm.tm_mon : 0;
}

static int itself(int day)
{
    return day;
}

/* The newest of each of the first `places` periods. */
static void keep_newest_of(int (*period)(int day), int places, const int *days, int n, bool *keep)
{
    for (int i = 0; i < n && places > 0; i++)
        if (i == 0 || period(days[i]) != period(days[i - 1])) {
            keep[i] = true;
            places--;
        }
}

void backup_thin(const int *days, int n, int today, bool *keep)
{
    int first = 0;
    for (int i = 0; i < n; i++)
        keep[i] = days[i] >= today;
    while (first < n && days[first] >= today)
        first++;
    keep_newest_of(itself, DAYS, days + first, n - first, keep + first);
    keep_newest_of(week_of, WEEKS, days + first, n - first, keep + first);
    keep_newest_of(month_of, MONTHS, days + first, n - first, keep + first);
}
