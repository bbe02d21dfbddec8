/* Items and their reviews: what memory holds, how it came about, and taking one back. */
#include "db/items.h"

#include <string.h>

#include "db/handle.h"

static const char storing[] = "store this review";

enum { COUNT_MOST = 1000000000 };

/* ---- writing ---- */

/* Is the item still as the caller saw it? */
static int check_before(struct store *s, const struct store_review *r)
{
    sqlite3_stmt *st = store_statement(s, ST_ITEM_LAST);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, r->item);
    int step = sqlite3_step(st);
    int64_t last = step == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    int rc = step == SQLITE_ROW || step == SQLITE_DONE ? STORE_OK : store_fail(s, storing);
    sqlite3_reset(st);
    if (rc == STORE_OK && last != r->before.last)
        rc = store_refuse(s, STORE_BUSY,
                          "cannot store this review of %s: another program that uses %s stored one "
                          "a moment ago. Nothing was stored; answer again.",
                          r->item, s->path);
    return rc;
}

static int put_review(struct store *s, const struct store_review *r, int64_t seq)
{
    sqlite3_stmt *st = store_statement(s, ST_REVIEW_PUT);
    if (!st)
        return STORE_FAILED;
    struct store_review row = *r;
    row.seq = seq;
    int at = columns_bind(st, 1, &review_columns, &row);
    at = columns_bind(st, at, &memory_columns, &row.after);
    sqlite3_bind_int64(st, at, r->before.last);
    return store_run(s, st, storing);
}

static int put_item(struct store *s, const struct store_review *r, int64_t seq)
{
    sqlite3_stmt *st = store_statement(s, ST_ITEM_PUT);
    if (!st)
        return STORE_FAILED;
    struct store_memory row = r->after;
    row.last = seq;
    store_bind_text(st, 1, r->item);
    int at = columns_bind(st, 2, &memory_columns, &row);
    columns_bind(st, at, &seen_columns, &row);
    return store_run(s, st, storing);
}

int projection_review(struct store *s, const struct store_review *r, int64_t seq)
{
    int rc = check_before(s, r);
    if (rc == STORE_OK)
        rc = put_review(s, r, seq);
    return rc == STORE_OK ? put_item(s, r, seq) : rc;
}

/* The review's seq, if it is the newest of its item. */
static int find_newest(struct store *s, const char *uid, int64_t *seq)
{
    sqlite3_stmt *st = store_statement(s, ST_UNDO_FIND);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, uid);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW || step == SQLITE_DONE ? STORE_OK
                                                       : store_fail(s, "take this review back");
    bool newest = step == SQLITE_ROW && sqlite3_column_int64(st, 0) == sqlite3_column_int64(st, 1);
    if (newest)
        *seq = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    if (rc == STORE_OK && !newest)
        rc = store_refuse(s, STORE_FAILED,
                          "cannot take this review back: it is not the newest of its item, or was "
                          "taken back before. Nothing was changed; take the newer one back first.");
    return rc;
}

int projection_undo(struct store *s, const char *uid)
{
    /* The review last: it tells which item. */
    static const enum store_statement of_seq[] = {ST_UNDO_NEW, ST_UNDO_ITEM, ST_UNDO_REVIEW};
    int64_t seq = 0;
    int rc = find_newest(s, uid, &seq);
    for (size_t i = 0; i < sizeof of_seq / sizeof *of_seq && rc == STORE_OK; i++) {
        sqlite3_stmt *st = store_statement(s, of_seq[i]);
        if (!st)
            return STORE_FAILED;
        sqlite3_bind_int64(st, 1, seq);
        rc = store_run(s, st, "take this review back");
    }
    sqlite3_stmt *st = rc == STORE_OK ? store_statement(s, ST_UNDO_ANSWER) : NULL;
    if (!st)
        return rc == STORE_OK ? STORE_FAILED : rc;
    store_bind_text(st, 1, uid);
    return store_run(s, st, "take this review back");
}

/* ---- reading ---- */

static void read_memory(sqlite3_stmt *st, int at, struct store_memory *m)
{
    at = columns_read(st, at, &memory_columns, m);
    columns_read(st, at, &seen_columns, m);
}

static bool read_item(sqlite3_stmt *st, void *item)
{
    struct store_item *i = item;
    store_column_text(st, 0, i->id, sizeof i->id);
    read_memory(st, 1, &i->memory);
    return true;
}

static bool read_review(sqlite3_stmt *st, void *item)
{
    struct store_review *r = item;
    store_column_text(st, 0, r->uid, sizeof r->uid);
    int at = columns_read(st, 1, &review_columns, r);
    at = columns_read(st, at, &memory_columns, &r->after);
    r->after.seen_day = r->day;
    r->after.seen_ms = r->at_ms;
    r->after.last = r->seq;
    if (sqlite3_column_type(st, at) != SQLITE_NULL)
        read_memory(st, at, &r->before);
    return true;
}

static bool read_study_day(sqlite3_stmt *st, void *item)
{
    struct store_study_day *d = item;
    *d = (struct store_study_day){store_column_day(st, 0), store_column_int(st, 1, 0, COUNT_MOST),
                                  store_column_int(st, 2, 0, COUNT_MOST), store_column_ms(st, 3)};
    return true;
}

static bool read_tally(sqlite3_stmt *st, void *item)
{
    struct store_tally *t = item;
    store_column_text(st, 0, t->item, sizeof t->item);
    t->n = store_column_int(st, 1, 0, COUNT_MOST);
    t->correct = store_column_int(st, 2, 0, COUNT_MOST);
    return true;
}

static bool read_answer(sqlite3_stmt *st, void *item)
{
    columns_read(st, 0, &answer_columns, item);
    return true;
}

/* Runs a bound statement (NULL: it could not be prepared) to its end. */
static int collect(struct store *s, sqlite3_stmt *st, const struct store_reader *reader, void *out,
                   int *n, const char *doing)
{
    void *items = NULL;
    *n = 0;
    int rc = st ? store_collect(s, st, reader, &items, n, doing) : STORE_FAILED;
    memcpy(out, &items, sizeof items);
    return rc;
}

/* One row into `out`: 1 found, 0 not. */
static int get_row(struct store *s, enum store_statement which, const char *key,
                   bool (*read)(sqlite3_stmt *, void *), void *out)
{
    sqlite3_stmt *st = store_statement(s, which);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, key);
    int step = sqlite3_step(st);
    int rc = step == SQLITE_ROW ? 1 : step == SQLITE_DONE ? 0 : store_fail(s, "read the reviews");
    if (rc == 1)
        read(st, out);
    sqlite3_reset(st);
    return rc;
}

int store_items(struct store *s, int due_by, struct store_item **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_item), read_item, NULL};
    sqlite3_stmt *st = store_statement(s, ST_ITEMS);
    if (st)
        sqlite3_bind_int(st, 1, due_by);
    return collect(s, st, &reader, out, n, "read what is due");
}

int store_item_get(struct store *s, const char *id, struct store_item *out)
{
    memset(out, 0, sizeof *out);
    return get_row(s, ST_ITEM, id, read_item, out);
}

int store_reviews(struct store *s, const char *item, int since_day, int limit,
                  struct store_review **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_review), read_review, NULL};
    sqlite3_stmt *st = store_statement(s, ST_REVIEWS);
    if (st) {
        store_bind_text_or_null(st, 1, item);
        sqlite3_bind_int(st, 2, since_day);
        sqlite3_bind_int(st, 3, limit > 0 ? limit : -1);
    }
    return collect(s, st, &reader, out, n, "read the reviews");
}

int store_review_get(struct store *s, const char *uid, struct store_review *out)
{
    memset(out, 0, sizeof *out);
    return get_row(s, ST_REVIEW, uid, read_review, out);
}

int store_study_days(struct store *s, int first, int last, struct store_study_day **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_study_day), read_study_day,
                                               NULL};
    sqlite3_stmt *st = store_statement(s, ST_STUDY_DAYS);
    if (st) {
        sqlite3_bind_int(st, 1, first);
        sqlite3_bind_int(st, 2, last);
    }
    return collect(s, st, &reader, out, n, "read the reviews");
}

int store_tallies(struct store *s, struct store_tally **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_tally), read_tally, NULL};
    return collect(s, store_statement(s, ST_TALLIES), &reader, out, n, "read the reviews");
}

int store_answers(struct store *s, const struct store_answer_filter *filter,
                  struct store_answer **out, int *n)
{
    static const struct store_reader reader = {sizeof(struct store_answer), read_answer, NULL};
    sqlite3_stmt *st = store_statement(s, ST_ANSWERS);
    if (st) {
        store_bind_text(st, 1, filter->prefix ? filter->prefix : "");
        sqlite3_bind_int(st, 2, filter->since_day);
        sqlite3_bind_int(st, 3, filter->slips);
        sqlite3_bind_int(st, 4, filter->intervals);
        sqlite3_bind_int(st, 5, filter->limit > 0 ? filter->limit : -1);
    }
    return collect(s, st, &reader, out, n, "read the answers");
}
