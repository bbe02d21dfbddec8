/* Inside db/: a column of the store is one row. Each set of columns says once how they are called,
 * what they hold and where the program keeps them; the lists of names in statements, binding and
 * reading follow from it. What a column means, and its constraints, stand in log.sql and
 * progress.sql. Nobody else includes this. */
#ifndef WD_DB_COLUMNS_H
#define WD_DB_COLUMNS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
    COLUMN_TEXT,         /* char[] */
    COLUMN_TEXT_OR_NULL, /* char[]; "" is NULL */
    COLUMN_INT,          /* int; read into its bounds */
    COLUMN_DAY,          /* int; a study day */
    COLUMN_FLAG,         /* bool */
    COLUMN_VERDICT,      /* int; 1, 0, and -1 is NULL */
    COLUMN_NUMBER,       /* int64_t, any */
    COLUMN_MS,           /* int64_t; a moment, or a length of time */
    COLUMN_REAL,         /* double */
    COLUMN_REAL_OR_NULL, /* double; 0 is NULL */
};

struct column {
    const char *name; /* in SQL, and of the member */
    enum column_kind kind;
    size_t at, size;   /* of the member */
    int least, most;   /* COLUMN_INT */
    size_t unless_not; /* a bool of the same struct: false is NULL; 0: none */
};

struct columns {
    const char *name; /* as statements call the set: "{item}" */
    const struct column *column;
    int n;
};

extern const struct columns event_columns;  /* struct store_event, but for seq and body */
extern const struct columns attempt_columns;
extern const struct columns line_columns;   /* struct store_score_line */
extern const struct columns belief_columns;
extern const struct columns answer_columns;
extern const struct columns memory_columns; /* struct store_memory: what item and review share */
extern const struct columns seen_columns;   /* struct store_memory: what a review's own say */
extern const struct columns review_columns; /* struct store_review, but for uid and memories */

/* A statement's text with the sets in braces written out: "{item}" becomes "id, phase", "{r.item}"
 * "r.id, r.phase", "{?item}" "?, ?", and "{=item}" "id = excluded.id, phase = excluded.phase". To
 * be freed with sqlite3_free; NULL for lack of memory. A set that there is not is a bug. */
char *columns_expand(const char *text);

/* A row's members to the parameters from `at` on, and from the results from `at` on. Both return
 * the place after the last. Texts are borrowed until the statement was run. */
int columns_bind(sqlite3_stmt *st, int at, const struct columns *set, const void *row);
int columns_read(sqlite3_stmt *st, int at, const struct columns *set, void *row);

/* One parameter or result by itself. */
void store_bind_text(sqlite3_stmt *st, int at, const char *text);
void store_bind_text_or_null(sqlite3_stmt *st, int at, const char *text); /* "" becomes NULL */
void store_column_text(sqlite3_stmt *st, int at, char *out, size_t n);    /* NULL becomes "" */
/* A number that a row holds, moved into its bounds: a file may hold any. */
int store_column_int(sqlite3_stmt *st, int at, int least, int most);
int store_column_day(sqlite3_stmt *st, int at);
int64_t store_column_ms(sqlite3_stmt *st, int at); /* a moment, or a length of time */

#endif
