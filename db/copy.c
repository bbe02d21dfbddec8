#include "db/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/handle.h"
#include "db/place.h"

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
    int code = sqlite3_open_v2(uri, out, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL), rc = STORE_OK;
    free(uri);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(*out, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
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

static int check_pages(sqlite3 *db, char *why, size_t n)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &st, NULL), rc = STORE_OK;
    if (code == SQLITE_OK)
        code = sqlite3_step(st) == SQLITE_ROW ? SQLITE_OK : sqlite3_errcode(db);
    const char *said = code == SQLITE_OK ? (const char *)sqlite3_column_text(st, 0) : NULL;
    if (code != SQLITE_OK) {
        rc = copy_explain(code, db, why, n);
    } else if (!said || strcmp(said, "ok") != 0) {
        snprintf(why, n, "it is damaged: %.100s", said ? said : "it cannot be checked");
        why[strcspn(why, "\n")] = '\0';
        rc = STORE_DAMAGED;
    }
    sqlite3_finalize(st);
    return rc;
}

int copy_look(sqlite3 *db, const char *path, bool whole, struct copy_facts *out, char *why, size_t n)
{
    int64_t application = 0;
    *out = (struct copy_facts){0};
    int code = read_number(db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK)
        code = read_number(db, "PRAGMA user_version", &out->version);
    if (code == SQLITE_OK && application != STORE_APPLICATION_ID) {
        snprintf(why, n, "it is not one of warpdrill");
        return STORE_DAMAGED;
    }
    if (code == SQLITE_OK && out->version > store_newest_version()) {
        snprintf(why, n, "it was written by a newer warpdrill: its format is %d, this program knows up to %d", (int)out->version,
                 store_newest_version());
        return STORE_NEWER;
    }
    if (code == SQLITE_OK)
        code = read_number(db, "SELECT count(*) FROM event", &out->events);
    if (code == SQLITE_OK)
        code = read_number(db, "SELECT coalesce(max(seq), 0) FROM event", &out->last);
    if (code != SQLITE_OK) {
        int rc = copy_explain(code, db, why, n);
        if (rc == STORE_DAMAGED)
            place_describe_damage(path, why, n);
        return rc;
    }
    return whole ? check_pages(db, why, n) : STORE_OK;
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
