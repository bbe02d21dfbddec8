/* Projections: the rows that screens read, written beside their event, rebuilt from the log. */
#include "db/store.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "db/handle.h"

static const char storing[] = "store this step";

enum { MINUTES_MOST = 1000000 };

/* ---- writing ---- */

static int put_attempt(struct store *s, const struct store_attempt *a)
{
    sqlite3_stmt *st = store_statement(s, ST_ATTEMPT_PUT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, a->uid);
    store_bind_text(st, 2, a->scenario);
    store_bind_text(st, 3, a->title);
    store_bind_text(st, 4, a->content);
    store_bind_text(st, 5, a->tier);
    store_bind_text(st, 6, a->gpu);
    store_bind_text(st, 7, a->state);
    sqlite3_bind_int64(st, 8, a->started_ms);
    sqlite3_bind_int64(st, 9, a->elapsed_ms);
    sqlite3_bind_int(st, 10, a->price);
    sqlite3_bind_int(st, 11, a->counted);
    store_bind_text(st, 12, a->cause);
    if (a->cause_right >= 0)
        sqlite3_bind_int(st, 13, a->cause_right);
    sqlite3_bind_double(st, 14, a->on_truth);
    if (a->scored) {
        sqlite3_bind_double(st, 15, a->score);
        sqlite3_bind_int(st, 16, a->score_rule);
    }
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
        store_bind_text(st, 3, lines[i].line);
        sqlite3_bind_double(st, 4, lines[i].points);
        sqlite3_bind_double(st, 5, lines[i].possible);
        store_bind_text(st, 6, lines[i].why);
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
    sqlite3_bind_int(st, 2, b->step);
    store_bind_text_or_null(st, 3, b->after);
    store_bind_text(st, 4, b->hypothesis);
    sqlite3_bind_int(st, 5, b->points);
    return store_run(s, st, storing);
}

static int put_answer(struct store *s, const char *attempt, const struct store_answer *a)
{
    sqlite3_stmt *st = store_statement(s, ST_ANSWER_PUT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, a->uid);
    store_bind_text_or_null(st, 2, attempt);
    sqlite3_bind_int(st, 3, a->day);
    store_bind_text(st, 4, a->item);
    sqlite3_bind_int64(st, 5, a->seed);
    store_bind_text(st, 6, a->given);
    store_bind_text(st, 8, a->unit);
    sqlite3_bind_double(st, 9, a->truth);
    if (a->readable) {
        sqlite3_bind_double(st, 7, a->value);
        sqlite3_bind_double(st, 10, a->log_error);
    }
    store_bind_text_or_null(st, 11, a->slip);
    sqlite3_bind_int64(st, 12, a->took_ms);
    sqlite3_bind_int64(st, 13, a->at_ms);
    store_bind_text(st, 14, a->how);
    if (a->confidence > 0) {
        sqlite3_bind_double(st, 15, a->low);
        sqlite3_bind_double(st, 16, a->high);
        sqlite3_bind_double(st, 17, a->confidence);
    }
    sqlite3_bind_int(st, 18, a->hint);
    sqlite3_bind_int64(st, 19, a->over_ms);
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
    struct store_attempt *a = item;
    store_column_text(st, 0, a->uid, sizeof a->uid);
    store_column_text(st, 1, a->scenario, sizeof a->scenario);
    store_column_text(st, 2, a->title, sizeof a->title);
    store_column_text(st, 3, a->content, sizeof a->content);
    store_column_text(st, 4, a->tier, sizeof a->tier);
    store_column_text(st, 5, a->gpu, sizeof a->gpu);
    store_column_text(st, 6, a->state, sizeof a->state);
    a->started_ms = store_column_ms(st, 7);
    a->elapsed_ms = store_column_ms(st, 8);
    a->price = store_column_int(st, 9, 0, MINUTES_MOST);
    a->counted = sqlite3_column_int(st, 10) != 0;
    store_column_text(st, 11, a->cause, sizeof a->cause);
    a->cause_right =
        sqlite3_column_type(st, 12) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 12) != 0;
    a->on_truth = sqlite3_column_double(st, 13);
    a->scored = sqlite3_column_type(st, 14) != SQLITE_NULL;
    a->score = sqlite3_column_double(st, 14);
    a->score_rule = sqlite3_column_int(st, 15);
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

int store_attempt_get(struct store *s, const char *uid, struct store_attempt *out)
{
    memset(out, 0, sizeof *out);
    sqlite3_stmt *st = store_statement(s, ST_ATTEMPT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, uid);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW ? 1 : step == SQLITE_DONE ? 0 : store_fail(s, "read the history");
    if (rc == 1)
        read_attempt(st, out);
    sqlite3_reset(st);
    return rc;
}

static bool read_line(sqlite3_stmt *st, void *item)
{
    struct store_score_line *line = item;
    store_column_text(st, 0, line->line, sizeof line->line);
    line->points = sqlite3_column_double(st, 1);
    line->possible = sqlite3_column_double(st, 2);
    store_column_text(st, 3, line->why, sizeof line->why);
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
    struct store_belief *b = item;
    b->step = store_column_int(st, 0, 0, INT_MAX);
    store_column_text(st, 1, b->after, sizeof b->after);
    store_column_text(st, 2, b->hypothesis, sizeof b->hypothesis);
    b->points = store_column_int(st, 3, 0, 100);
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
