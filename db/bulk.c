/* The log as a whole: read from end to end for an export, and taken in from elsewhere, all or
 * nothing. */
#include "db/bulk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "db/handle.h"

static const char reading[] = "read the log", importing[] = "import this";

/* ---- out ---- */

int store_snapshot_begin(struct store *s)
{
    return store_exec(s, "BEGIN", reading);
}

void store_snapshot_end(struct store *s)
{
    store_rollback(s);
}

int store_count(struct store *s, int64_t *events, int64_t *blobs)
{
    sqlite3_stmt *st = store_statement(s, ST_COUNT_ALL);
    if (!st)
        return STORE_FAILED;
    int rc = sqlite3_step(st) == SQLITE_ROW ? STORE_OK : store_fail(s, reading);
    if (rc == STORE_OK) {
        *events = sqlite3_column_int64(st, 0);
        *blobs = sqlite3_column_int64(st, 1);
    }
    sqlite3_reset(st);
    return rc;
}

int store_log(struct store *s, int64_t after, int limit, struct store_event **out, int *n)
{
    sqlite3_stmt *st = store_statement(s, ST_LOG);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    sqlite3_bind_int64(st, 1, after);
    sqlite3_bind_int(st, 2, limit > 0 ? limit : -1);
    return store_collect_events(s, st, out, n);
}

static bool read_hash(sqlite3_stmt *st, void *item)
{
    store_column_text(st, 0, item, sizeof(struct store_hash));
    return true;
}

static int collect_hashes(struct store *s, sqlite3_stmt *st, struct store_hash **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_hash), read_hash, NULL};
    void *items = NULL;
    *n = 0;
    int rc = st ? store_collect(s, st, &reader, &items, n, reading) : STORE_FAILED;
    *out = items;
    return rc;
}

int store_event_blobs(struct store *s, int64_t seq, struct store_hash **out, int *n)
{
    sqlite3_stmt *st = store_statement(s, ST_BLOBS_OF);
    if (st)
        sqlite3_bind_int64(st, 1, seq);
    return collect_hashes(s, st, out, n);
}

int store_texts(struct store *s, struct store_hash **out, int *n)
{
    return collect_hashes(s, store_statement(s, ST_TEXTS), out, n);
}

/* ---- in ---- */

int store_import_begin(struct store *s)
{
    assert(!s->importing && !s->rebuilding);
    int rc = store_begin(s);
    s->importing = rc == STORE_OK;
    return rc;
}

int store_import_blob(struct store *s, const struct store_blob *blob)
{
    assert(s->importing);
    return store_blob_put(s, blob);
}

static bool has_blob(struct store *s, const char *sha256)
{
    sqlite3_stmt *st = store_statement(s, ST_BLOB);
    if (!st)
        return false;
    store_bind_text(st, 1, sha256);
    bool there = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_reset(st);
    return there;
}

/* 1 the same, 0 no such uid; STORE_DAMAGED: another event has this uid. */
static int is_known(struct store *s, const struct store_event *e)
{
    sqlite3_stmt *st = store_statement(s, ST_SAME_EVENT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, e->uid);
    store_bind_text(st, 2, e->stream);
    store_bind_text(st, 3, e->kind);
    sqlite3_bind_int64(st, 4, e->at_ms);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW    ? sqlite3_column_int(st, 0)
             : step == SQLITE_DONE ? -1
                                   : store_fail(s, importing);
    sqlite3_reset(st);
    if (step == SQLITE_ROW && rc == 0)
        return store_refuse(s, STORE_DAMAGED, "the store holds another event with this uid");
    return step == SQLITE_DONE ? 0 : rc;
}

int store_import_event(struct store *s, struct store_event *event, const struct store_hash *blobs,
                       int n_blobs)
{
    assert(s->importing);
    int rc = is_known(s, event);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    for (int i = 0; i < n_blobs; i++)
        if (!has_blob(s, blobs[i].sha256))
            return store_refuse(s, STORE_DAMAGED,
                                "it refers to the text %.12s..., which is neither before it in the "
                                "file nor in the store",
                                blobs[i].sha256);
    rc = store_event_put(s, event);
    for (int i = 0; i < n_blobs && rc == STORE_OK; i++)
        rc = store_event_refer(s, event->seq, blobs[i].sha256);
    return rc == STORE_OK ? 1 : rc;
}

int store_import_end(struct store *s, bool commit)
{
    assert(s->importing && !s->rebuilding);
    s->importing = false;
    int rc =
        commit
            ? store_exec(s, "DELETE FROM blob WHERE sha256 NOT IN (SELECT sha256 FROM event_blob)",
                         importing)
            : STORE_OK;
    if (!commit || rc != STORE_OK) {
        store_rollback(s);
        return rc;
    }
    return store_commit(s, importing);
}
