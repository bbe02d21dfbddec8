#include "db/copy.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/handle.h"
#include "db/place.h"
#include "db/shape.h"

enum { COPY_WAIT_MS = 5000 };

int copy_explain(int code, sqlite3 *db, char *why, size_t n)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        snprintf(why, n, "another program has it open");
        return STORE_BUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        snprintf(why, n, "it is damaged or no database");
        return STORE_DAMAGED;
    case SQLITE_FULL:
        snprintf(why, n, "the disk is full");
        return STORE_FAILED;
    default:
        snprintf(why, n, "%s", db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
        return STORE_FAILED;
    }
}

/* ---- looking ---- */

/* "file:" with what means something in an URI escaped. */
static char *uri_of(const char *path, const char *query)
{
    char *uri = malloc(strlen(path) * 3 + strlen(query) + 6), *at = uri;
    if (!uri)
        return NULL;
    at += sprintf(at, "file:");
    for (; *path; path++)
        at += sprintf(at, strchr("?#%", *path) ? "%%%02X" : "%c", *path);
    strcpy(at, query);
    return uri;
}

static bool stands(const char *path, const char *suffix)
{
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    bool there = name && access(name, F_OK) == 0;
    sqlite3_free(name);
    return there;
}

int copy_open(sqlite3 **out, const char *path, char *why, size_t n)
{
    bool alone = !stands(path, "-wal") && !stands(path, "-journal");
    char *uri = uri_of(path, alone ? "?mode=ro&immutable=1" : "?mode=ro");
    *out = NULL;
    if (access(path, R_OK) != 0 || !uri) {
        snprintf(why, n, "%s", uri ? strerror(errno) : "out of memory");
        free(uri);
        return STORE_FAILED;
    }
    int code = sqlite3_open_v2(uri, out, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL),
        rc = STORE_OK;
    free(uri);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(*out, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        sqlite3_limit(*out, SQLITE_LIMIT_LENGTH, STORE_LENGTH_MOST);
        sqlite3_busy_timeout(*out, COPY_WAIT_MS);
        return STORE_OK;
    }
    rc = copy_explain(code, *out, why, n);
    sqlite3_close(*out);
    *out = NULL;
    return rc;
}

static int read_number(sqlite3 *db, const char *sql, int64_t *out)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(st) == SQLITE_ROW ? SQLITE_OK : sqlite3_errcode(db);
    if (code == SQLITE_OK)
        *out = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return code;
}

/* One row of what SQLite says about the file: *said is "" where it says nothing. */
static int ask(sqlite3 *db, const char *sql, char *said, size_t n)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(st);
    *said = '\0';
    if (code == SQLITE_ROW)
        store_column_text(st, 0, said, n);
    sqlite3_finalize(st);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int copy_check(sqlite3 *db, enum copy_depth depth, char *why, size_t n)
{
    bool all = depth == COPY_EVERYTHING;
    char said[120], lonely[60] = "";
    int code =
        ask(db, all ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)", said, sizeof said);
    if (code == SQLITE_OK && all)
        code = ask(db, "PRAGMA foreign_key_check", lonely, sizeof lonely);
    if (code != SQLITE_OK)
        return copy_explain(code, db, why, n);
    if (strcmp(said, "ok") == 0 && !*lonely)
        return STORE_OK;
    said[strcspn(said, "\n")] = '\0';
    if (strcmp(said, "ok") != 0)
        snprintf(why, n, "it is damaged: %s", *said ? said : "it cannot be checked");
    else
        snprintf(why, n, "it is damaged: a row of '%s' refers to what is not there", lonely);
    return STORE_DAMAGED;
}

static int count(sqlite3 *db, const char *path, bool all, struct copy_facts *out, char *why,
                 size_t n)
{
    static const char some[] = "SELECT count(*) FROM (SELECT 1 FROM event LIMIT 10001)";
    static_assert(COPY_EVENTS_MOST == 10000, "one more is counted, to know of it");
    int code = read_number(db, all ? "SELECT count(*) FROM event" : some, &out->events);
    if (code == SQLITE_OK)
        code = read_number(db, "SELECT coalesce(max(seq), 0) FROM event", &out->last);
    int rc = code == SQLITE_OK ? STORE_OK : copy_explain(code, db, why, n);
    if (rc == STORE_DAMAGED)
        place_describe_damage(path, why, n);
    out->more = !all && out->events > COPY_EVENTS_MOST;
    if (out->more)
        out->events = COPY_EVENTS_MOST;
    return rc;
}

int copy_count(sqlite3 *db, const char *path, struct copy_facts *out, char *why, size_t n)
{
    return count(db, path, true, out, why, n);
}

/* The next event takes the number after the newest; there is none after the last. */
static int check_order(sqlite3 *db, char *why, size_t n)
{
    int64_t beyond = 0;
    int code = read_number(
        db,
        "SELECT (SELECT count(*) FROM event WHERE seq < 1 OR seq >> 53)"
        " + (SELECT count(*) FROM sqlite_sequence WHERE seq < 0 OR seq >> 53 OR name <> 'event')",
        &beyond);
    if (code != SQLITE_OK)
        return copy_explain(code, db, why, n);
    if (beyond == 0)
        return STORE_OK;
    snprintf(why, n, "it is damaged: the order of its events makes no sense");
    return STORE_DAMAGED;
}

int copy_look(sqlite3 *db, const char *path, bool whole, struct copy_facts *out, char *why,
              size_t n)
{
    struct store_step steps[STORE_STEPS];
    struct shape shape;
    *out = (struct copy_facts){0};
    store_steps(steps);
    int code = shape_look(&shape, db, steps, STORE_STEPS);
    int rc = code == SQLITE_OK ? shape.verdict : copy_explain(code, db, why, n);
    if (code != SQLITE_OK && rc == STORE_DAMAGED)
        place_describe_damage(path, why, n);
    if (code != SQLITE_OK)
        return rc;
    if (rc != STORE_OK || shape.empty) {
        snprintf(why, n, "%s", shape.empty ? "nothing is in it" : shape.why);
        return shape.empty ? STORE_DAMAGED : rc;
    }
    if (whole) /* before it is counted: pages that point at each other have no end */
        rc = copy_check(db, COPY_PAGES, why, n);
    if (rc == STORE_OK && whole)
        rc = check_order(db, why, n);
    return rc == STORE_OK ? count(db, path, whole, out, why, n) : rc;
}

/* ---- copying ---- */

int copy_pages(sqlite3 *to, sqlite3 *from)
{
    sqlite3_backup *job = sqlite3_backup_init(to, "main", from, "main");
    if (!job)
        return sqlite3_extended_errcode(to);
    int step = sqlite3_backup_step(job, -1), end = sqlite3_backup_finish(job);
    return step == SQLITE_DONE ? end : step;
}

static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int rc = fd >= 0 ? fsync(fd) : -1;
    if (fd >= 0)
        close(fd);
    return rc;
}

int copy_to_file(sqlite3 *from, const char *path, char *why, size_t n)
{
    sqlite3 *to = NULL;
    char where[256];
    int code = SQLITE_OK, rc = STORE_OK;
    remove(path);
    int wrong = place_prepare(path, where, sizeof where);
    if (wrong != 0) {
        snprintf(why, n, "%s: %s", where, strerror(wrong));
        return STORE_FAILED;
    }
    code = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK)
        code = copy_pages(to, from);
    if (code == SQLITE_OK)
        code = sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        rc = copy_explain(code, to, why, n);
    if (sqlite3_close(to) != SQLITE_OK || (rc == STORE_OK && sync_file(path) != 0)) {
        if (rc == STORE_OK)
            snprintf(why, n, "%s", strerror(errno));
        rc = STORE_FAILED;
    }
    if (rc != STORE_OK)
        remove(path);
    return rc;
}
