/* The event log: appending, reading, settings. */
#include "db/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/handle.h"
#include "db/moment.h"

static const char storing[] = "store this step";

/* ---- appending ---- */

/* The caller's mistakes, found before anything is written. */
static int check_event(struct store *s, const struct store_event *e)
{
    if (strlen(e->uid) != 32 || !*e->stream || !*e->kind || !e->body)
        return store_refuse(s, STORE_FAILED,
                            "cannot store this step in %s: an event needs a uid of 32 digits, a "
                            "stream, a kind and a body. Nothing was stored; this is a bug in "
                            "warpdrill, please report it.",
                            s->path);
    sqlite3_stmt *st = store_statement(s, ST_JSON_TYPE);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, e->body);
    char type[16] = "";
    int rc = STORE_OK;
    if (sqlite3_step(st) == SQLITE_ROW)
        store_column_text(st, 0, type, sizeof type);
    else
        rc = store_fail(s, storing);
    sqlite3_reset(st);
    if (rc == STORE_OK && strcmp(type, "object") != 0)
        rc = store_refuse(s, STORE_FAILED,
                          "cannot store this step in %s: the body of '%s' is no JSON object (%s). "
                          "Nothing was stored; this is a bug in warpdrill, please report it.",
                          s->path, e->kind, type);
    return rc;
}

/* 1 and *seq when the uid is there, 0 when not. */
static int store_event_find(struct store *s, const char *uid, int64_t *seq)
{
    sqlite3_stmt *st = store_statement(s, ST_EVENT_FIND);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, uid);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW ? 1 : step == SQLITE_DONE ? 0 : store_fail(s, storing);
    if (rc == 1)
        *seq = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    return rc;
}

static int insert_event(struct store *s, struct store_event *e)
{
    sqlite3_stmt *st = store_statement(s, ST_EVENT_INSERT);
    if (!st)
        return STORE_FAILED;
    struct store_event row = *e;
    row.version = e->version ? e->version : 1;
    snprintf(row.actor, sizeof row.actor, "%s", *e->actor ? e->actor : "self");
    snprintf(row.audience, sizeof row.audience, "%s", *e->audience ? e->audience : "all");
    int at = columns_bind(st, 1, &event_columns, &row);
    store_bind_text(st, at, e->body);
    int rc = store_run(s, st, storing);
    if (rc == STORE_OK)
        e->seq = sqlite3_last_insert_rowid(s->db);
    return rc;
}

int store_event_put(struct store *s, struct store_event *e)
{
    int rc = check_event(s, e);
    return rc == STORE_OK ? insert_event(s, e) : rc;
}

int store_blob_put(struct store *s, const struct store_blob *blob)
{
    sqlite3_stmt *st = store_statement(s, ST_BLOB_INSERT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, blob->sha256);
    /* No bytes are an empty blob, not NULL. */
    sqlite3_bind_blob64(st, 2, blob->n ? blob->bytes : "", blob->n, SQLITE_STATIC);
    return store_run(s, st, storing);
}

int store_event_refer(struct store *s, int64_t seq, const char *sha256)
{
    sqlite3_stmt *st = store_statement(s, ST_EVENT_BLOB);
    if (!st)
        return STORE_FAILED;
    sqlite3_bind_int64(st, 1, seq);
    store_bind_text(st, 2, sha256);
    return store_run(s, st, storing);
}

static int insert_blob(struct store *s, int64_t seq, const struct store_blob *blob)
{
    int rc = store_blob_put(s, blob);
    return rc == STORE_OK ? store_event_refer(s, seq, blob->sha256) : rc;
}

/* "attempt:UID" names the attempt whose rows an event writes. */
static const char *attempt_of(const char *stream)
{
    return strncmp(stream, "attempt:", 8) == 0 ? stream + 8 : "";
}

static int append_now(struct store *s, struct store_event *e, const struct store_blob *blobs,
                      int n_blobs, const struct store_change *change)
{
    bool fresh = false;
    int rc = store_event_find(s, e->uid, &e->seq);
    if (rc != 0)
        return rc < 0 ? rc : STORE_OK;
    rc = insert_event(s, e);
    for (int i = 0; i < n_blobs && rc == STORE_OK; i++)
        rc = insert_blob(s, e->seq, &blobs[i]);
    if (rc == STORE_OK)
        rc = projection_advance(s, e->seq, &fresh);
    if (rc == STORE_OK && fresh && change)
        rc = projection_write(s, change, attempt_of(e->stream), e->seq);
    return rc;
}

int store_append(struct store *s, struct store_event *event, const struct store_blob *blobs,
                 int n_blobs, const struct store_change *change)
{
    int64_t seq = event->seq;
    int rc = check_event(s, event);
    if (rc == STORE_OK)
        rc = store_begin(s);
    if (rc != STORE_OK)
        return rc;
    rc = append_now(s, event, blobs, n_blobs, change);
    if (rc == STORE_OK)
        rc = store_commit(s, storing);
    else
        store_rollback(s);
    if (rc != STORE_OK)
        event->seq = seq;
    return rc;
}

int store_has(struct store *s, const char *uid)
{
    int64_t seq;
    return store_event_find(s, uid, &seq);
}

/* ---- reading ---- */

static bool read_event(sqlite3_stmt *st, void *item)
{
    struct store_event *e = item;
    e->seq = sqlite3_column_int64(st, 0);
    int at = columns_read(st, 1, &event_columns, e);
    const char *body = (const char *)sqlite3_column_text(st, at);
    e->body = body ? strdup(body) : NULL;
    return e->body != NULL;
}

static void drop_event(void *item)
{
    free(((struct store_event *)item)->body);
}

int store_collect_events(struct store *s, sqlite3_stmt *st, struct store_event **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_event), read_event, drop_event};
    void *items = NULL;
    int rc = store_collect(s, st, &reader, &items, n, "read the log");
    *out = items;
    return rc;
}

int store_events(struct store *s, const char *stream, struct store_event **out, int *n)
{
    sqlite3_stmt *st = store_statement(s, ST_EVENTS);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, stream);
    return store_collect_events(s, st, out, n);
}

void store_events_free(struct store_event *events, int n)
{
    for (int i = 0; i < n; i++)
        free(events[i].body);
    free(events);
}

static bool read_stream(sqlite3_stmt *st, void *item)
{
    const char *text = (const char *)sqlite3_column_text(st, 0);
    char *copy = text ? strdup(text) : NULL;
    *(char **)item = copy;
    return copy != NULL;
}

static void drop_stream(void *item)
{
    free(*(char **)item);
}

int store_streams(struct store *s, const char *prefix, char ***out, int *n)
{
    static const struct store_reader reader = {sizeof(char *), read_stream, drop_stream};
    void *items = NULL;
    sqlite3_stmt *st = store_statement(s, ST_STREAMS);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, prefix);
    int rc = store_collect(s, st, &reader, &items, n, "read the log");
    *out = items;
    return rc;
}

void store_streams_free(char **streams, int n)
{
    for (int i = 0; i < n; i++)
        free(streams[i]);
    free(streams);
}

int store_blob_get(struct store *s, const char *sha256, char **out, size_t *n)
{
    sqlite3_stmt *st = store_statement(s, ST_BLOB);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, sha256);
    int step = sqlite3_step(st), rc = STORE_OK;
    if (step == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(st, 0);
        size_t size = (size_t)sqlite3_column_bytes(st, 0);
        *out = malloc(size + 1);
        if (*out) {
            if (size)
                memcpy(*out, bytes, size);
            (*out)[size] = '\0';
            *n = size;
        } else {
            rc = store_refuse(s, STORE_FAILED, "cannot read from %s: out of memory", s->path);
        }
    } else if (step == SQLITE_DONE) {
        rc = store_refuse(s, STORE_FAILED,
                          "%s does not hold the text with hash %.64s; it may have been erased",
                          s->path, sha256);
    } else {
        rc = store_fail(s, "read a stored text");
    }
    sqlite3_reset(st);
    return rc;
}

/* ---- settings ---- */

int store_setting_put(struct store *s, const char *name, const char *value)
{
    struct store_event e = {
        .stream = "settings", .kind = "set", .version = 1, .at_ms = store_clock()};
    e.day = store_day(e.at_ms);
    sqlite3_stmt *st = store_statement(s, ST_SETTING_BODY);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, name);
    store_bind_text(st, 2, value);
    int rc = sqlite3_step(st) == SQLITE_ROW ? STORE_OK : store_fail(s, "store this setting");
    const char *body = rc == STORE_OK ? (const char *)sqlite3_column_text(st, 0) : NULL;
    if (body) {
        e.body = strdup(body);
        store_column_text(st, 1, e.uid, sizeof e.uid);
    }
    sqlite3_reset(st);
    if (rc == STORE_OK && !e.body)
        rc = store_refuse(s, STORE_FAILED, "cannot store this setting in %s: out of memory",
                          s->path);
    if (rc == STORE_OK)
        rc = store_append(s, &e, NULL, 0, NULL);
    free(e.body);
    return rc;
}

int store_setting_get(struct store *s, const char *name, char **out)
{
    *out = NULL;
    sqlite3_stmt *st = store_statement(s, ST_SETTING);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, name);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW ? 1 : step == SQLITE_DONE ? 0 : store_fail(s, "read a setting");
    if (rc == 1) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        *out = strdup(text ? text : "");
        if (!*out)
            rc = store_refuse(s, STORE_FAILED, "cannot read a setting in %s: out of memory",
                              s->path);
    }
    sqlite3_reset(st);
    return rc;
}
