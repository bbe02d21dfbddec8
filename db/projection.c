/* Projections: the rows that screens read, written beside their event, rebuilt from the log. */
#include "db/store.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/handle.h"

static const char storing[] = "store this step";

/* ---- writing ---- */

static int put_attempt(struct store *s, const struct store_attempt *a)
{
    sqlite3_stmt *st = store_statement(s, ST_ATTEMPT_PUT);
    if (!st)
        return STORE_FAILED;
    columns_bind(st, 1, &attempt_columns, a);
    return store_run(s, st, storing);
}

static int put_lines(struct store *s, const char *attempt, const struct store_score_line *lines,
                     int n)
{
    sqlite3_stmt *st = store_statement(s, ST_LINES_CLEAR);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, attempt);
    int rc = store_run(s, st, storing);
    for (int i = 0; i < n && rc == STORE_OK; i++) {
        st = store_statement(s, ST_LINE_PUT);
        if (!st)
            return STORE_FAILED;
        store_bind_text(st, 1, attempt);
        sqlite3_bind_int(st, 2, i);
        columns_bind(st, 3, &line_columns, &lines[i]);
        rc = store_run(s, st, storing);
    }
    return rc;
}

static int put_belief(struct store *s, const char *attempt, const struct store_belief *b)
{
    sqlite3_stmt *st = store_statement(s, ST_BELIEF_PUT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, attempt);
    columns_bind(st, 2, &belief_columns, b);
    return store_run(s, st, storing);
}

static int put_answer(struct store *s, const char *attempt, const struct store_answer *a)
{
    sqlite3_stmt *st = store_statement(s, ST_ANSWER_PUT);
    if (!st)
        return STORE_FAILED;
    struct store_answer row = *a;
    snprintf(row.attempt, sizeof row.attempt, "%s", attempt);
    if (row.confidence <= 0) /* a single number */
        row.low = row.high = row.confidence = 0;
    columns_bind(st, 1, &answer_columns, &row);
    return store_run(s, st, storing);
}

int projection_write(struct store *s, const struct store_change *change, const char *attempt_uid,
                     int64_t seq)
{
    const char *attempt = change->attempt ? change->attempt->uid : attempt_uid ? attempt_uid : "";
    int rc = change->attempt ? put_attempt(s, change->attempt) : STORE_OK;
    if (rc == STORE_OK && change->lines)
        rc = put_lines(s, attempt, change->lines, change->n_lines);
    for (int i = 0; i < change->n_beliefs && rc == STORE_OK; i++)
        rc = put_belief(s, attempt, &change->beliefs[i]);
    for (int i = 0; i < change->n_answers && rc == STORE_OK; i++)
        rc = put_answer(s, attempt, &change->answers[i]);
    if (rc == STORE_OK && change->review)
        rc = projection_review(s, change->review, seq ? seq : change->review->seq);
    if (rc == STORE_OK && change->undone)
        rc = projection_undo(s, change->undone);
    return rc;
}

int projection_advance(struct store *s, int64_t seq, bool *fresh)
{
    sqlite3_stmt *st = store_statement(s, ST_PROJECTED);
    if (!st)
        return STORE_FAILED;
    sqlite3_bind_int64(st, 1, seq);
    sqlite3_bind_int(st, 2, PROJECTION_VERSION);
    int rc = store_run(s, st, storing);
    *fresh = rc == STORE_OK && sqlite3_changes(s->db) == 1;
    return rc;
}

/* ---- reading ---- */

static bool read_attempt(sqlite3_stmt *st, void *item)
{
    columns_read(st, 0, &attempt_columns, item);
    return true;
}

int store_attempts(struct store *s, const char *state, int limit, struct store_attempt **out,
                   int *n)
{
    static const struct store_reader reader = {sizeof(struct store_attempt), read_attempt, NULL};
    void *items = NULL;
    sqlite3_stmt *st = store_statement(s, ST_ATTEMPTS);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    if (state)
        store_bind_text(st, 1, state);
    sqlite3_bind_int(st, 2, limit > 0 ? limit : -1);
    int rc = store_collect(s, st, &reader, &items, n, "read the history");
    *out = items;
    return rc;
}

static bool read_line(sqlite3_stmt *st, void *item)
{
    columns_read(st, 0, &line_columns, item);
    return true;
}

int store_score_lines(struct store *s, const char *attempt, struct store_score_line **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_score_line), read_line, NULL};
    void *items = NULL;
    sqlite3_stmt *st = store_statement(s, ST_LINES);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, attempt);
    int rc = store_collect(s, st, &reader, &items, n, "read a score");
    *out = items;
    return rc;
}

static bool read_belief(sqlite3_stmt *st, void *item)
{
    columns_read(st, 0, &belief_columns, item);
    return true;
}

int store_beliefs(struct store *s, const char *attempt, struct store_belief **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_belief), read_belief, NULL};
    void *items = NULL;
    sqlite3_stmt *st = store_statement(s, ST_BELIEFS);
    *out = NULL;
    *n = 0;
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, attempt);
    int rc = store_collect(s, st, &reader, &items, n, "read the beliefs");
    *out = items;
    return rc;
}

/* ---- rebuilding ---- */

static int mark_fresh(struct store *s)
{
    sqlite3_stmt *st = store_statement(s, ST_PROJECTION_SET);
    if (!st)
        return STORE_FAILED;
    sqlite3_bind_int(st, 1, PROJECTION_VERSION);
    return store_run(s, st, "rebuild the history");
}

int projection_create(struct store *s)
{
    bool had_events = false;
    int rc = store_exec(s, store_schema("progress.sql"), "rebuild the history");
    if (rc != STORE_OK)
        return rc;
    /* Over a log that has events already the empty rows are behind it: version 0 asks for a
     * rebuild. */
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(s->db, "SELECT EXISTS (SELECT 1 FROM event)", -1, &st, NULL) !=
            SQLITE_OK ||
        sqlite3_step(st) != SQLITE_ROW)
        rc = store_fail(s, "rebuild the history");
    else
        had_events = sqlite3_column_int(st, 0) != 0;
    sqlite3_finalize(st);
    if (rc != STORE_OK)
        return rc;
    return had_events
               ? store_exec(s,
                            "INSERT INTO projection(name, version, seq) VALUES('progress', 0, 0)",
                            "rebuild the history")
               : mark_fresh(s);
}

bool store_needs_rebuild(struct store *s)
{
    sqlite3_stmt *st = store_statement(s, ST_PROJECTION_FRESH);
    if (!st)
        return true;
    sqlite3_bind_int(st, 1, PROJECTION_VERSION);
    bool fresh = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_int(st, 0);
    sqlite3_reset(st);
    return !fresh;
}

/* Whatever is not the log belongs to the projections of some version, perhaps one that this program
 * never knew. */
static int drop_projections(struct store *s)
{
    static const char find[] =
        "SELECT group_concat('DROP TABLE ' || quote(name), ';') FROM sqlite_schema WHERE type = "
        "'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN ('event', 'blob', "
        "'event_blob', 'erasing')";
    sqlite3_stmt *st = NULL;
    char *drops = NULL;
    int rc = STORE_OK;
    if (sqlite3_prepare_v2(s->db, find, -1, &st, NULL) != SQLITE_OK ||
        sqlite3_step(st) != SQLITE_ROW)
        rc = store_fail(s, "rebuild the history");
    else
        drops = sqlite3_mprintf("%s", sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    if (rc == STORE_OK && !drops)
        rc = store_refuse(s, STORE_FAILED, "cannot rebuild the history in %s: out of memory",
                          s->path);
    if (rc == STORE_OK)
        rc = store_exec(s, drops, "rebuild the history");
    sqlite3_free(drops);
    return rc;
}

int store_rebuild_begin(struct store *s)
{
    assert(!s->rebuilding);
    int rc = s->importing ? STORE_OK
             : s->reading ? store_exec(s, "BEGIN", "rebuild the history")
                          : store_begin(s);
    if (rc != STORE_OK)
        return rc;
    rc = drop_projections(s);
    if (rc == STORE_OK)
        rc = projection_create(s);
    if (rc != STORE_OK && !s->importing)
        store_rollback(s);
    s->rebuilding = rc == STORE_OK;
    return rc;
}

int store_project(struct store *s, const struct store_change *change, const char *attempt_uid)
{
    assert(s->rebuilding);
    return projection_write(s, change, attempt_uid, 0);
}

int store_rebuild_end(struct store *s, bool commit)
{
    assert(s->rebuilding);
    s->rebuilding = false;
    int rc = commit ? mark_fresh(s) : STORE_OK;
    if (s->importing) /* its end decides */
        return rc;
    if (!commit || rc != STORE_OK) {
        store_rollback(s);
        return rc;
    }
    return store_commit(s, "rebuild the history");
}
