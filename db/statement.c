/* The prepared statements: their text in one table, and the few helpers around stepping them. */
#include "db/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REVIEWS \
    "SELECT e.uid, {r.review}, {r.memory}, {p.memory}, p.day, p.at_ms, p.seq FROM review r " \
    "JOIN event e ON e.seq = r.seq LEFT JOIN review p ON p.seq = r.previous "
#define PREVIOUS "FROM review WHERE seq = (SELECT previous FROM review WHERE seq = ?1)"
#define ITS_ITEM "id = (SELECT item FROM review WHERE seq = ?1)"

/* Names in braces are sets of columns (columns.h). */
static const char *const sql_text[ST_COUNT] = {
    [ST_JSON_TYPE] = "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) ELSE 'not JSON' END",
    [ST_EVENT_FIND] = "SELECT seq FROM event WHERE uid = ?1",
    [ST_EVENT_INSERT] = "INSERT INTO event({event}, body) VALUES({?event}, ?)",
    [ST_BLOB_INSERT] =
        "INSERT INTO blob(sha256, body) VALUES(?1, ?2) ON CONFLICT(sha256) DO NOTHING",
    [ST_EVENT_BLOB] =
        "INSERT INTO event_blob(seq, sha256) VALUES(?1, ?2) ON CONFLICT(seq, sha256) DO NOTHING",
    [ST_EVENTS] = "SELECT seq, {event}, body FROM event WHERE stream = ?1 ORDER BY seq",
    [ST_COUNT_ALL] = "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM blob WHERE sha256 "
                     "IN (SELECT sha256 FROM event_blob))",
    [ST_LOG] = "SELECT seq, {event}, body FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    [ST_BLOBS_OF] = "SELECT sha256 FROM event_blob WHERE seq = ?1 ORDER BY sha256",
    [ST_TEXTS] = "SELECT sha256 FROM blob ORDER BY sha256",
    [ST_SAME_EVENT] = "SELECT stream = ?2 AND kind = ?3 AND at_ms = ?4 FROM event WHERE uid = ?1",
    [ST_BLOB] = "SELECT body FROM blob WHERE sha256 = ?1",
    [ST_STREAMS] = "SELECT stream FROM event WHERE substr(stream, 1, length(?1)) = ?1 GROUP BY "
                   "stream ORDER BY min(seq)",
    [ST_SETTING_BODY] = "SELECT json_object('name', ?1, 'value', ?2), lower(hex(randomblob(16)))",
    [ST_SETTING] = "SELECT json_extract(body, '$.value') FROM event WHERE stream = "
                   "'settings' AND json_extract(body, '$.name') = ?1 ORDER BY seq DESC LIMIT 1",
    [ST_PROJECTED] = "UPDATE projection SET seq = ?1 WHERE name = 'progress' AND version = ?2"
                     " AND seq >= (SELECT coalesce(max(seq), 0) FROM event WHERE seq < ?1)",
    [ST_PROJECTION_FRESH] = "SELECT version = ?1 AND seq >= (SELECT coalesce(max(seq), 0) FROM "
                            "event) FROM projection WHERE name = 'progress'",
    [ST_PROJECTION_SET] = "INSERT INTO projection(name, version, seq) SELECT 'progress', ?1, "
                          "coalesce(max(seq), 0) FROM event WHERE true ON CONFLICT(name) DO UPDATE "
                          "SET version = excluded.version, seq = excluded.seq",
    /* Not REPLACE: that would delete the row first, and its lines and beliefs with it. */
    [ST_ATTEMPT_PUT] = "INSERT INTO attempt({attempt}) VALUES({?attempt}) "
                       "ON CONFLICT(uid) DO UPDATE SET {=attempt}",
    [ST_LINES_CLEAR] = "DELETE FROM score_line WHERE attempt = ?1",
    [ST_LINE_PUT] = "INSERT INTO score_line(attempt, at, {line}) VALUES(?, ?, {?line})",
    [ST_BELIEF_PUT] = "INSERT INTO belief(attempt, {belief}) VALUES(?, {?belief}) "
                      "ON CONFLICT(attempt, step, hypothesis) DO UPDATE SET {=belief}",
    [ST_ANSWER_PUT] = "INSERT INTO answer({answer}) VALUES({?answer}) "
                      "ON CONFLICT(uid) DO UPDATE SET {=answer}",
    [ST_ATTEMPTS] = "SELECT {attempt} FROM attempt WHERE ?1 IS NULL OR state = ?1 "
                    "ORDER BY started_ms DESC, uid DESC LIMIT ?2",
    [ST_LINES] = "SELECT {line} FROM score_line WHERE attempt = ?1 ORDER BY at",
    [ST_BELIEFS] = "SELECT {belief} FROM belief WHERE attempt = ?1 ORDER BY step, hypothesis",
    [ST_ITEM_LAST] = "SELECT last FROM item WHERE id = ?1",
    [ST_REVIEW_PUT] = "INSERT INTO review({review}, {memory}, previous) "
                      "VALUES({?review}, {?memory}, ?)",
    [ST_ITEM_PUT] = "INSERT INTO item(id, {memory}, {seen}) VALUES(?, {?memory}, {?seen}) "
                    "ON CONFLICT(id) DO UPDATE SET {=memory}, {=seen}",
    [ST_UNDO_FIND] = "SELECT r.seq, i.last FROM event e JOIN review r ON r.seq = e.seq LEFT JOIN "
                     "item i ON i.id = r.item WHERE e.uid = ?1",
    /* The item goes back to what the review before it left, and goes where there was none. */
    [ST_UNDO_NEW] = "DELETE FROM item WHERE " ITS_ITEM " AND NOT EXISTS (SELECT 1 " PREVIOUS ")",
    [ST_UNDO_ITEM] = "UPDATE item SET ({memory}, {seen}) = (SELECT {memory}, day, at_ms, seq "
                     PREVIOUS ") WHERE " ITS_ITEM,
    [ST_UNDO_ANSWER] = "DELETE FROM answer WHERE uid = ?1",
    [ST_UNDO_REVIEW] = "DELETE FROM review WHERE seq = ?1",
    [ST_ITEMS] = "SELECT id, {memory}, {seen} FROM item WHERE due_day <= ?1 ORDER BY id",
    [ST_ITEM] = "SELECT id, {memory}, {seen} FROM item WHERE id = ?1",
    [ST_REVIEWS] = REVIEWS "WHERE (?1 IS NULL OR r.item = ?1) AND r.day >= ?2 "
                           "ORDER BY r.seq DESC LIMIT ?3",
    [ST_REVIEW] = REVIEWS "WHERE e.uid = ?1",
    [ST_STUDY_DAYS] = "SELECT day, count(*), sum(correct), sum(took_ms) FROM review WHERE day "
                      "BETWEEN ?1 AND ?2 GROUP BY day ORDER BY day",
    [ST_TALLIES] = "SELECT id, days, days_right FROM item ORDER BY id",
    [ST_ANSWERS] = "SELECT {answer} FROM answer WHERE substr(item, 1, length(?1)) = ?1 "
                   "AND day >= ?2 AND (?3 = 0 OR slip IS NOT NULL) "
                   "AND (?4 = 0 OR confidence IS NOT NULL) ORDER BY at_ms DESC, uid LIMIT ?5",
};

static sqlite3_stmt *prepare(struct store *s, const char *text)
{
    sqlite3_stmt *st = NULL;
    char *sql = columns_expand(text);
    int code = sql ? sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL)
                   : SQLITE_NOMEM;
    sqlite3_free(sql);
    if (code == SQLITE_OK)
        return st;
    if (sql)
        store_fail(s, "use the database");
    else
        store_refuse(s, STORE_FAILED, "cannot use %s: out of memory; close other programs",
                     s->path);
    return NULL;
}

sqlite3_stmt *store_statement(struct store *s, enum store_statement which)
{
    sqlite3_stmt **st = &s->statement[which];
    if (!*st)
        *st = prepare(s, sql_text[which]);
    if (*st)
        sqlite3_clear_bindings(*st);
    return *st;
}

int store_run(struct store *s, sqlite3_stmt *st, const char *doing)
{
    int rc = sqlite3_step(st) == SQLITE_DONE ? STORE_OK : store_fail(s, doing);
    sqlite3_reset(st);
    return rc;
}

static void *grow(void *items, int n, int *cap, size_t size)
{
    if (n < *cap)
        return items;
    int wanted = *cap ? *cap * 2 : 16;
    void *more = realloc(items, (size_t)wanted * size);
    if (more)
        *cap = wanted;
    return more;
}

int store_collect(struct store *s, sqlite3_stmt *st, const struct store_reader *reader, void **out,
                  int *n, const char *doing)
{
    char *items = NULL;
    int count = 0, cap = 0, rc = STORE_OK, step;
    *out = NULL;
    *n = 0;
    while ((step = sqlite3_step(st)) == SQLITE_ROW) {
        void *more = grow(items, count, &cap, reader->size);
        if (!more)
            break;
        items = more;
        void *item = items + (size_t)count++ * reader->size;
        memset(item, 0, reader->size);
        if (!reader->read(st, item))
            break;
    }
    if (step == SQLITE_ROW)
        rc = store_refuse(s, STORE_FAILED, "cannot %s in %s: out of memory; close other programs",
                          doing, s->path);
    else if (step != SQLITE_DONE)
        rc = store_fail(s, doing);
    sqlite3_reset(st);
    if (rc != STORE_OK) {
        for (int i = 0; reader->drop && i < count; i++)
            reader->drop(items + (size_t)i * reader->size);
        free(items);
        return rc;
    }
    *out = items;
    *n = count;
    return STORE_OK;
}
