#include "db/columns.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "db/handle.h"
#include "db/moment.h"

enum { COUNT_MOST = 1000000000, MINUTES_MOST = 1000000 };

/* ---- the rows ---- */

#define COLUMN(of, member, ...)                                                                    \
    {.name = #member,                                                                              \
     .at = offsetof(struct of, member),                                                            \
     .size = sizeof((struct of *)0)->member,                                                       \
     .kind = __VA_ARGS__}
#define COUNT COLUMN_INT, .most = COUNT_MOST
#define SET(of, rows) {of, rows, sizeof rows / sizeof *rows}

#define EVENT(...) COLUMN(store_event, __VA_ARGS__)
static const struct column of_event[] = {
    EVENT(uid, COLUMN_TEXT),
    EVENT(stream, COLUMN_TEXT),
    EVENT(kind, COLUMN_TEXT),
    EVENT(version, COLUMN_INT, .most = INT_MAX),
    EVENT(at_ms, COLUMN_MS),
    EVENT(day, COLUMN_DAY),
    EVENT(actor, COLUMN_TEXT),
    EVENT(audience, COLUMN_TEXT),
};
const struct columns event_columns = SET("event", of_event);

#define ATTEMPT(...) COLUMN(store_attempt, __VA_ARGS__)
#define SCORED .unless_not = offsetof(struct store_attempt, scored)
static const struct column of_attempt[] = {
    ATTEMPT(uid, COLUMN_TEXT),
    ATTEMPT(scenario, COLUMN_TEXT),
    ATTEMPT(title, COLUMN_TEXT),
    ATTEMPT(content, COLUMN_TEXT),
    ATTEMPT(tier, COLUMN_TEXT),
    ATTEMPT(gpu, COLUMN_TEXT),
    ATTEMPT(state, COLUMN_TEXT),
    ATTEMPT(started_ms, COLUMN_MS),
    ATTEMPT(elapsed_ms, COLUMN_MS),
    ATTEMPT(price, COLUMN_INT, .most = MINUTES_MOST),
    ATTEMPT(counted, COLUMN_FLAG),
    ATTEMPT(cause, COLUMN_TEXT),
    ATTEMPT(cause_right, COLUMN_VERDICT),
    ATTEMPT(on_truth, COLUMN_REAL),
    ATTEMPT(score, COLUMN_REAL, SCORED),
    ATTEMPT(score_rule, COLUMN_INT, .least = INT_MIN, .most = INT_MAX, SCORED),
};
const struct columns attempt_columns = SET("attempt", of_attempt);

#define LINE(...) COLUMN(store_score_line, __VA_ARGS__)
static const struct column of_line[] = {
    LINE(line, COLUMN_TEXT),
    LINE(points, COLUMN_REAL),
    LINE(possible, COLUMN_REAL),
    LINE(why, COLUMN_TEXT),
};
const struct columns line_columns = SET("line", of_line);

#define BELIEF(...) COLUMN(store_belief, __VA_ARGS__)
static const struct column of_belief[] = {
    BELIEF(step, COLUMN_INT, .most = INT_MAX),
    BELIEF(after, COLUMN_TEXT_OR_NULL),
    BELIEF(hypothesis, COLUMN_TEXT),
    BELIEF(points, COLUMN_INT, .most = 100),
};
const struct columns belief_columns = SET("belief", of_belief);

#define ANSWER(...) COLUMN(store_answer, __VA_ARGS__)
#define READABLE .unless_not = offsetof(struct store_answer, readable)
static const struct column of_answer[] = {
    ANSWER(uid, COLUMN_TEXT),
    ANSWER(attempt, COLUMN_TEXT_OR_NULL),
    ANSWER(day, COLUMN_DAY),
    ANSWER(item, COLUMN_TEXT),
    ANSWER(seed, COLUMN_NUMBER),
    ANSWER(given, COLUMN_TEXT),
    ANSWER(value, COLUMN_REAL, READABLE),
    ANSWER(unit, COLUMN_TEXT),
    ANSWER(truth, COLUMN_REAL),
    ANSWER(log_error, COLUMN_REAL, READABLE),
    ANSWER(slip, COLUMN_TEXT_OR_NULL),
    ANSWER(took_ms, COLUMN_MS),
    ANSWER(at_ms, COLUMN_MS),
    ANSWER(how, COLUMN_TEXT),
    ANSWER(low, COLUMN_REAL_OR_NULL),
    ANSWER(high, COLUMN_REAL_OR_NULL),
    ANSWER(confidence, COLUMN_REAL_OR_NULL),
    ANSWER(hint, COLUMN_FLAG),
    ANSWER(over_ms, COLUMN_MS),
};
const struct columns answer_columns = SET("answer", of_answer);

#define MEMORY(...) COLUMN(store_memory, __VA_ARGS__)
static const struct column of_memory[] = {
    MEMORY(phase, COLUMN_INT, .most = 3),
    MEMORY(step, COUNT),
    MEMORY(stability, COLUMN_REAL),
    MEMORY(difficulty, COLUMN_REAL),
    MEMORY(reviews, COUNT),
    MEMORY(lapses, COUNT),
    MEMORY(days, COUNT),
    MEMORY(days_right, COUNT),
    MEMORY(first_day, COLUMN_DAY),
    MEMORY(due_day, COLUMN_DAY),
    MEMORY(due_ms, COLUMN_MS),
    MEMORY(slip, COLUMN_FLAG),
};
const struct columns memory_columns = SET("memory", of_memory);

static const struct column of_seen[] = {
    MEMORY(seen_day, COLUMN_DAY),
    MEMORY(seen_ms, COLUMN_MS),
    MEMORY(last, COLUMN_NUMBER),
};
const struct columns seen_columns = SET("seen", of_seen);

#define REVIEW(...) COLUMN(store_review, __VA_ARGS__)
static const struct column of_review[] = {
    REVIEW(seq, COLUMN_NUMBER),
    REVIEW(item, COLUMN_TEXT),
    REVIEW(day, COLUMN_DAY),
    REVIEW(at_ms, COLUMN_MS),
    REVIEW(grade, COLUMN_INT, .least = 1, .most = 4),
    REVIEW(correct, COLUMN_FLAG),
    REVIEW(took_ms, COLUMN_MS),
    REVIEW(given, COLUMN_TEXT),
    REVIEW(model, COLUMN_TEXT),
};
const struct columns review_columns = SET("review", of_review);

/* ---- into statements ---- */

static const struct columns *const every_set[] = {
    &event_columns,  &attempt_columns, &line_columns, &belief_columns,
    &answer_columns, &memory_columns,  &seen_columns, &review_columns,
};

static const struct columns *find_set(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof every_set / sizeof *every_set; i++)
        if (strlen(every_set[i]->name) == n && strncmp(every_set[i]->name, name, n) == 0)
            return every_set[i];
    assert(!"a statement names columns that there are");
    return NULL;
}

static void write_names(sqlite3_str *out, const struct columns *set, const char *form, int prefix)
{
    for (int i = 0; i < set->n; i++) {
        const char *name = set->column[i].name;
        if (i > 0)
            sqlite3_str_appendall(out, ", ");
        if (*form == '?')
            sqlite3_str_appendall(out, "?");
        else if (*form == '=')
            sqlite3_str_appendf(out, "%s = excluded.%s", name, name);
        else
            sqlite3_str_appendf(out, "%.*s%s", prefix, form, name);
    }
}

/* What stands between the braces: a form or a table's short name, and a set. */
static void write_set(sqlite3_str *out, const char *asked, size_t n)
{
    size_t prefix = strcspn(asked, "?=.") < n ? strcspn(asked, "?=.") + 1 : 0;
    write_names(out, find_set(asked + prefix, n - prefix), asked, (int)prefix);
}

char *columns_expand(const char *text)
{
    sqlite3_str *out = sqlite3_str_new(NULL);
    while (*text) {
        size_t plain = strcspn(text, "{");
        sqlite3_str_append(out, text, (int)plain);
        text += plain;
        if (!*text)
            break;
        size_t asked = strcspn(++text, "}");
        write_set(out, text, asked);
        text += asked + 1;
    }
    return sqlite3_str_finish(out);
}

/* ---- binding and reading ---- */

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

static int64_t store_column_number(sqlite3_stmt *st, int at, int64_t least, int64_t most)
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

static bool is_absent(const struct column *c, const char *row)
{
    return c->unless_not && !*(const bool *)(row + c->unless_not);
}

static void bind_one(sqlite3_stmt *st, int at, const struct column *c, const char *row)
{
    const void *member = row + c->at;
    if (is_absent(c, row))
        return;
    switch (c->kind) {
    case COLUMN_TEXT:
        store_bind_text(st, at, member);
        break;
    case COLUMN_TEXT_OR_NULL:
        store_bind_text_or_null(st, at, member);
        break;
    case COLUMN_INT:
    case COLUMN_DAY:
        sqlite3_bind_int(st, at, *(const int *)member);
        break;
    case COLUMN_FLAG:
        sqlite3_bind_int(st, at, *(const bool *)member);
        break;
    case COLUMN_VERDICT:
        if (*(const int *)member >= 0)
            sqlite3_bind_int(st, at, *(const int *)member);
        break;
    case COLUMN_NUMBER:
    case COLUMN_MS:
        sqlite3_bind_int64(st, at, *(const int64_t *)member);
        break;
    case COLUMN_REAL:
        sqlite3_bind_double(st, at, *(const double *)member);
        break;
    case COLUMN_REAL_OR_NULL:
        if (*(const double *)member != 0)
            sqlite3_bind_double(st, at, *(const double *)member);
        break;
    }
}

static void read_one(sqlite3_stmt *st, int at, const struct column *c, char *row)
{
    void *member = row + c->at;
    bool null = sqlite3_column_type(st, at) == SQLITE_NULL;
    if (c->unless_not)
        *(bool *)(row + c->unless_not) = !null;
    switch (c->kind) {
    case COLUMN_TEXT:
    case COLUMN_TEXT_OR_NULL:
        store_column_text(st, at, member, c->size);
        break;
    case COLUMN_INT:
        *(int *)member = null ? 0 : store_column_int(st, at, c->least, c->most);
        break;
    case COLUMN_DAY:
        *(int *)member = store_column_day(st, at);
        break;
    case COLUMN_FLAG:
        *(bool *)member = sqlite3_column_int(st, at) != 0;
        break;
    case COLUMN_VERDICT:
        *(int *)member = null ? -1 : sqlite3_column_int(st, at) != 0;
        break;
    case COLUMN_NUMBER:
        *(int64_t *)member = sqlite3_column_int64(st, at);
        break;
    case COLUMN_MS:
        *(int64_t *)member = store_column_ms(st, at);
        break;
    case COLUMN_REAL:
    case COLUMN_REAL_OR_NULL:
        *(double *)member = sqlite3_column_double(st, at);
        break;
    }
}

int columns_bind(sqlite3_stmt *st, int at, const struct columns *set, const void *row)
{
    for (int i = 0; i < set->n; i++)
        bind_one(st, at + i, &set->column[i], row);
    return at + set->n;
}

int columns_read(sqlite3_stmt *st, int at, const struct columns *set, void *row)
{
    for (int i = 0; i < set->n; i++)
        read_one(st, at + i, &set->column[i], row);
    return at + set->n;
}
