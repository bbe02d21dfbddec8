/* The prepared statements: their text in one table, and the few helpers around stepping them. */
#include "db/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTEMPT_COLUMNS \
    "SELECT uid, scenario, title, content, tier, gpu, state, started_ms, elapsed_ms, price, " \
    "counted, cause," \
    " cause_right, on_truth, score, score_rule FROM attempt "
#define ITEM_COLUMNS \
    "SELECT id, phase, step, stability, difficulty, reviews, lapses, first_day, seen_day, " \
    "seen_ms, due_day, due_ms," \
    " slip, last FROM item "
#define REVIEW_COLUMNS \
    "SELECT r.seq, e.uid, r.item, r.day, r.at_ms, r.grade, r.correct, r.took_ms, r.given, " \
    "r.model, r.phase, r.step," \
    " r.stability, r.difficulty, r.lapses, r.due_day, r.due_ms, r.slip, r.was_phase, r.was_step, " \
    "r.was_stability," \
    " r.was_difficulty, r.was_reviews, r.was_lapses, r.was_first_day, r.was_seen_day, " \
    "r.was_seen_ms, r.was_due_day," \
    " r.was_due_ms, r.was_slip, r.was_last FROM review r JOIN event e ON e.seq = r.seq "

static const char *const sql_text[ST_COUNT] = {
    [ST_JSON_TYPE] = "SELECT CASE WHEN json_valid(?1) THEN json_type(?1) ELSE 'not JSON' END",
    [ST_EVENT_FIND] = "SELECT seq FROM event WHERE uid = ?1",
    [ST_EVENT_INSERT] = "INSERT INTO event(uid, stream, kind, version, at_ms, day, actor, "
                        "audience, body) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [ST_BLOB_INSERT] =
        "INSERT INTO blob(sha256, body) VALUES(?1, ?2) ON CONFLICT(sha256) DO NOTHING",
    [ST_EVENT_BLOB] =
        "INSERT INTO event_blob(seq, sha256) VALUES(?1, ?2) ON CONFLICT(seq, sha256) DO NOTHING",
    [ST_EVENTS] = "SELECT seq, uid, stream, kind, version, at_ms, day, actor, audience, body FROM "
                  "event WHERE stream = ?1 ORDER BY seq",
    [ST_COUNT_ALL] = "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM blob WHERE sha256 "
                     "IN (SELECT sha256 FROM event_blob))",
    [ST_LOG] = "SELECT seq, uid, stream, kind, version, at_ms, day, actor, audience, body FROM "
               "event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    [ST_BLOBS_OF] = "SELECT sha256 FROM event_blob WHERE seq = ?1 ORDER BY sha256",
    [ST_TEXTS] = "SELECT sha256 FROM blob ORDER BY sha256",
    [ST_SAME_EVENT] = "SELECT stream = ?2 AND kind = ?3 AND at_ms = ?4 FROM event WHERE uid = ?1",
    [ST_BLOB] = "SELECT body FROM blob WHERE sha256 = ?1",
    [ST_STREAMS] = "SELECT stream FROM event WHERE substr(stream, 1, length(?1)) = ?1 GROUP BY "
                   "stream ORDER BY min(seq)",
    [ST_SETTING_BODY] = "SELECT json_object('name', ?1, 'value', ?2), lower(hex(randomblob(16)))",
    [ST_SETTING] = "SELECT json_extract(body, '$.value'), at_ms FROM event WHERE stream = "
                   "'settings' AND json_extract(body, '$.name') = ?1 ORDER BY seq DESC LIMIT 1",
    [ST_PROJECTED] = "UPDATE projection SET seq = ?1 WHERE name = 'progress' AND version = ?2"
                     " AND seq >= (SELECT coalesce(max(seq), 0) FROM event WHERE seq < ?1)",
    [ST_PROJECTION_FRESH] = "SELECT version = ?1 AND seq >= (SELECT coalesce(max(seq), 0) FROM "
                            "event) FROM projection WHERE name = 'progress'",
    [ST_PROJECTION_SET] = "INSERT INTO projection(name, version, seq) SELECT 'progress', ?1, "
                          "coalesce(max(seq), 0) FROM event WHERE true ON CONFLICT(name) DO UPDATE "
                          "SET version = excluded.version, seq = excluded.seq",
    /* Not REPLACE: that would delete the row first, and its lines and beliefs with it. */
    [ST_ATTEMPT_PUT] =
        "INSERT INTO attempt(uid, scenario, title, content, tier, gpu, state, started_ms, "
        "elapsed_ms, price, counted, cause, cause_right, on_truth, score, score_rule) VALUES(?1, "
        "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) ON CONFLICT(uid) DO "
        "UPDATE SET scenario = excluded.scenario, title = excluded.title, content = "
        "excluded.content, tier = excluded.tier, gpu = excluded.gpu, state = excluded.state, "
        "started_ms = excluded.started_ms, elapsed_ms = excluded.elapsed_ms, price = "
        "excluded.price, counted = excluded.counted, cause = excluded.cause, cause_right = "
        "excluded.cause_right, on_truth = excluded.on_truth, score = excluded.score, score_rule = "
        "excluded.score_rule",
    [ST_LINES_CLEAR] = "DELETE FROM score_line WHERE attempt = ?1",
    [ST_LINE_PUT] = "INSERT INTO score_line(attempt, at, line, points, possible, why) VALUES(?1, "
                    "?2, ?3, ?4, ?5, ?6)",
    [ST_BELIEF_PUT] = "INSERT INTO belief(attempt, step, after, hypothesis, points) VALUES(?1, ?2, "
                      "?3, ?4, ?5) ON CONFLICT(attempt, step, hypothesis) DO UPDATE SET after = "
                      "excluded.after, points = excluded.points",
    [ST_ANSWER_PUT] =
        "INSERT INTO answer(uid, attempt, day, item, seed, given, value, unit, truth, log_error, "
        "slip, took_ms, at_ms, how, low, high, confidence, hint, over_ms) VALUES(?1, ?2, ?3, ?4, "
        "?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19) ON CONFLICT(uid) DO "
        "UPDATE SET attempt = excluded.attempt, day = excluded.day, item = excluded.item, seed = "
        "excluded.seed, given = excluded.given, value = excluded.value, unit = excluded.unit, "
        "truth = excluded.truth, log_error = excluded.log_error, slip = excluded.slip, took_ms = "
        "excluded.took_ms, at_ms = excluded.at_ms, how = excluded.how, low = excluded.low, high = "
        "excluded.high, confidence = excluded.confidence, hint = excluded.hint, over_ms = "
        "excluded.over_ms",
    [ST_ATTEMPTS] = ATTEMPT_COLUMNS
    "WHERE ?1 IS NULL OR state = ?1 ORDER BY started_ms DESC, uid DESC LIMIT ?2",
    [ST_ATTEMPT] = ATTEMPT_COLUMNS "WHERE uid = ?1",
    [ST_LINES] =
        "SELECT line, points, possible, why FROM score_line WHERE attempt = ?1 ORDER BY at",
    [ST_BELIEFS] = "SELECT step, after, hypothesis, points FROM belief WHERE attempt = ?1 ORDER BY "
                   "step, hypothesis",
    [ST_ITEM_LAST] = "SELECT last FROM item WHERE id = ?1",
    [ST_REVIEW_PUT] =
        "INSERT INTO review(seq, item, day, at_ms, grade, correct, took_ms, given, model, phase, "
        "step, stability, difficulty, lapses, due_day, due_ms, slip, was_phase, was_step, "
        "was_stability, was_difficulty, was_reviews, was_lapses, was_first_day, was_seen_day, "
        "was_seen_ms, was_due_day, was_due_ms, was_slip, was_last) VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
        "?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, "
        "?25, ?26, ?27, ?28, ?29, ?30)",
    [ST_ITEM_PUT] =
        "INSERT INTO item(id, phase, step, stability, difficulty, reviews, lapses, first_day, "
        "seen_day, seen_ms, due_day, due_ms, slip, last) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
        "?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT(id) DO UPDATE SET phase = excluded.phase, step = "
        "excluded.step, stability = excluded.stability, difficulty = excluded.difficulty, reviews "
        "= excluded.reviews, lapses = excluded.lapses, first_day = excluded.first_day, seen_day = "
        "excluded.seen_day, seen_ms = excluded.seen_ms, due_day = excluded.due_day, due_ms = "
        "excluded.due_ms, slip = excluded.slip, last = excluded.last",
    [ST_UNDO_FIND] = "SELECT r.seq, i.last FROM event e JOIN review r ON r.seq = e.seq LEFT JOIN "
                     "item i ON i.id = r.item WHERE e.uid = ?1",
    [ST_UNDO_NEW] =
        "DELETE FROM item WHERE id = (SELECT item FROM review WHERE seq = ?1 AND was_phase = 0)",
    [ST_UNDO_ITEM] =
        "UPDATE item SET (phase, step, stability, difficulty, reviews, lapses, first_day, "
        "seen_day, seen_ms, due_day, due_ms, slip, last) = (SELECT was_phase, was_step, "
        "was_stability, was_difficulty, was_reviews, was_lapses, was_first_day, was_seen_day, "
        "was_seen_ms, was_due_day, was_due_ms, was_slip, was_last FROM review WHERE seq = ?1) "
        "WHERE id = (SELECT item FROM review WHERE seq = ?1)",
    [ST_UNDO_ANSWER] = "DELETE FROM answer WHERE uid = ?1",
    [ST_UNDO_REVIEW] = "DELETE FROM review WHERE seq = ?1",
    [ST_ITEMS] = ITEM_COLUMNS "WHERE due_day <= ?1 ORDER BY id",
    [ST_ITEM] = ITEM_COLUMNS "WHERE id = ?1",
    [ST_REVIEWS] = REVIEW_COLUMNS
    "WHERE (?1 IS NULL OR r.item = ?1) AND r.day >= ?2 ORDER BY r.seq DESC LIMIT ?3",
    [ST_REVIEW] = REVIEW_COLUMNS "WHERE e.uid = ?1",
    [ST_STUDY_DAYS] = "SELECT day, count(*), sum(correct), sum(took_ms) FROM review WHERE day "
                      "BETWEEN ?1 AND ?2 GROUP BY day ORDER BY day",
    [ST_TALLIES] = "SELECT item, count(*), sum(correct) FROM review WHERE was_seen_day <> day "
                   "GROUP BY item ORDER BY item",
    [ST_ANSWERS] =
        "SELECT uid, attempt, day, item, seed, given, value, unit, truth, log_error, slip, "
        "took_ms, at_ms, how, low, high, confidence, hint, over_ms FROM answer WHERE substr(item, "
        "1, length(?1)) = ?1 AND day >= ?2 AND (?3 = 0 OR slip IS NOT NULL) AND (?4 = 0 OR "
        "confidence IS NOT NULL) ORDER BY at_ms DESC, uid LIMIT ?5",
};

sqlite3_stmt *store_statement(struct store *s, enum store_statement which)
{
    sqlite3_stmt **st = &s->statement[which];
    if (!*st && sqlite3_prepare_v3(s->db, sql_text[which], -1, SQLITE_PREPARE_PERSISTENT, st,
                                   NULL) != SQLITE_OK) {
        store_fail(s, "use the database");
        return NULL;
    }
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

void store_bind_text(sqlite3_stmt *st, int at, const char *text)
{
    sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
}

void store_bind_text_or_null(sqlite3_stmt *st, int at, const char *text)
{
    if (text && *text)
        store_bind_text(st, at, text);
}

void store_column_text(sqlite3_stmt *st, int at, char *out, size_t n)
{
    const unsigned char *text = sqlite3_column_text(st, at);
    snprintf(out, n, "%s", text ? (const char *)text : "");
}

int64_t store_column_number(sqlite3_stmt *st, int at, int64_t least, int64_t most)
{
    int64_t value = sqlite3_column_int64(st, at);
    return value < least ? least : value > most ? most : value;
}

int store_column_int(sqlite3_stmt *st, int at, int least, int most)
{
    return (int)store_column_number(st, at, least, most);
}

int store_column_day(sqlite3_stmt *st, int at)
{
    enum {
        DAYS_MOST = (int)(STORE_MS_MOST / 86400000) + 40000
    }; /* what is due may lie a century later */
    return store_column_int(st, at, -1, DAYS_MOST);
}

int64_t store_column_ms(sqlite3_stmt *st, int at)
{
    return store_column_number(st, at, 0, STORE_MS_MOST);
}
