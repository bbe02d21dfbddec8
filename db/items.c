/* Items and their reviews: what memory holds, how it came about, and taking one back. */
#include "db/store.h"

#include <string.h>

#include "db/handle.h"

static const char storing[] = "store this review";

enum { COUNT_MOST = 1000000000 };

/* ---- writing ---- */

static int bind_memory(sqlite3_stmt *st, int at, const struct store_memory *m)
{
    sqlite3_bind_int(st, at++, m->phase);
    sqlite3_bind_int(st, at++, m->step);
    sqlite3_bind_double(st, at++, m->stability);
    sqlite3_bind_double(st, at++, m->difficulty);
    sqlite3_bind_int(st, at++, m->reviews);
    sqlite3_bind_int(st, at++, m->lapses);
    sqlite3_bind_int(st, at++, m->first_day);
    sqlite3_bind_int(st, at++, m->seen_day);
    sqlite3_bind_int64(st, at++, m->seen_ms);
    sqlite3_bind_int(st, at++, m->due_day);
    sqlite3_bind_int64(st, at++, m->due_ms);
    sqlite3_bind_int(st, at++, m->slip);
    return at;
}

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
    sqlite3_bind_int64(st, 1, seq);
    store_bind_text(st, 2, r->item);
    sqlite3_bind_int(st, 3, r->day);
    sqlite3_bind_int64(st, 4, r->at_ms);
    sqlite3_bind_int(st, 5, r->grade);
    sqlite3_bind_int(st, 6, r->correct);
    sqlite3_bind_int64(st, 7, r->took_ms);
    store_bind_text(st, 8, r->given);
    store_bind_text(st, 9, r->model);
    sqlite3_bind_int(st, 10, r->after.phase);
    sqlite3_bind_int(st, 11, r->after.step);
    sqlite3_bind_double(st, 12, r->after.stability);
    sqlite3_bind_double(st, 13, r->after.difficulty);
    sqlite3_bind_int(st, 14, r->after.lapses);
    sqlite3_bind_int(st, 15, r->after.due_day);
    sqlite3_bind_int64(st, 16, r->after.due_ms);
    sqlite3_bind_int(st, 17, r->after.slip);
    int at = bind_memory(st, 18, &r->before);
    sqlite3_bind_int64(st, at, r->before.last);
    return store_run(s, st, storing);
}

static int put_item(struct store *s, const struct store_review *r, int64_t seq)
{
    sqlite3_stmt *st = store_statement(s, ST_ITEM_PUT);
    if (!st)
        return STORE_FAILED;
    store_bind_text(st, 1, r->item);
    int at = bind_memory(st, 2, &r->after);
    sqlite3_bind_int64(st, at, seq);
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
    /* The item before the review that it is restored from. */
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

static int read_memory(sqlite3_stmt *st, int at, struct store_memory *m)
{
    m->phase = store_column_int(st, at++, 0, 3);
    m->step = store_column_int(st, at++, 0, COUNT_MOST);
    m->stability = sqlite3_column_double(st, at++);
    m->difficulty = sqlite3_column_double(st, at++);
    m->reviews = store_column_int(st, at++, 0, COUNT_MOST);
    m->lapses = store_column_int(st, at++, 0, COUNT_MOST);
    m->first_day = store_column_day(st, at++);
    m->seen_day = store_column_day(st, at++);
    m->seen_ms = store_column_ms(st, at++);
    m->due_day = store_column_day(st, at++);
    m->due_ms = store_column_ms(st, at++);
    m->slip = sqlite3_column_int(st, at++) != 0;
    m->last = sqlite3_column_int64(st, at++);
    return at;
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
    r->seq = sqlite3_column_int64(st, 0);
    store_column_text(st, 1, r->uid, sizeof r->uid);
    store_column_text(st, 2, r->item, sizeof r->item);
    r->day = store_column_day(st, 3);
    r->at_ms = store_column_ms(st, 4);
    r->grade = store_column_int(st, 5, 1, 4);
    r->correct = sqlite3_column_int(st, 6) != 0;
    r->took_ms = store_column_ms(st, 7);
    store_column_text(st, 8, r->given, sizeof r->given);
    store_column_text(st, 9, r->model, sizeof r->model);
    read_memory(st, 18, &r->before);
    r->after = (struct store_memory){
        .phase = store_column_int(st, 10, 0, 3),
        .step = store_column_int(st, 11, 0, COUNT_MOST),
        .stability = sqlite3_column_double(st, 12),
        .difficulty = sqlite3_column_double(st, 13),
        .lapses = store_column_int(st, 14, 0, COUNT_MOST),
        .due_day = store_column_day(st, 15),
        .due_ms = store_column_ms(st, 16),
        .slip = sqlite3_column_int(st, 17) != 0,
        .last = r->seq,
        .reviews = r->before.reviews + 1,
        .first_day = r->before.phase ? r->before.first_day : r->day,
        .seen_day = r->day,
        .seen_ms = r->at_ms,
    };
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
    struct store_answer *a = item;
    store_column_text(st, 0, a->uid, sizeof a->uid);
    store_column_text(st, 1, a->attempt, sizeof a->attempt);
    a->day = store_column_day(st, 2);
    store_column_text(st, 3, a->item, sizeof a->item);
    a->seed = sqlite3_column_int64(st, 4);
    store_column_text(st, 5, a->given, sizeof a->given);
    a->readable = sqlite3_column_type(st, 6) != SQLITE_NULL;
    a->value = sqlite3_column_double(st, 6);
    store_column_text(st, 7, a->unit, sizeof a->unit);
    a->truth = sqlite3_column_double(st, 8);
    a->log_error = sqlite3_column_double(st, 9);
    store_column_text(st, 10, a->slip, sizeof a->slip);
    a->took_ms = store_column_ms(st, 11);
    a->at_ms = store_column_ms(st, 12);
    store_column_text(st, 13, a->how, sizeof a->how);
    a->low = sqlite3_column_double(st, 14);
    a->high = sqlite3_column_double(st, 15);
    a->confidence = sqlite3_column_double(st, 16);
    a->hint = sqlite3_column_int(st, 17) != 0;
    a->over_ms = store_column_ms(st, 18);
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
