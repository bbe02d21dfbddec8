/* Inside db/ (and its tests): the handle (handle.c), its statements (statement.c), and what log.c
 * and projection.c share. Nobody else includes this. */
#ifndef WD_DB_HANDLE_H
#define WD_DB_HANDLE_H

#include <sqlite3.h>

#include "db/bulk.h"
#include "db/columns.h"
#include "db/store.h"

#define STORE_APPLICATION_ID 0x57445052 /* "WDPR" in the file's header */
enum { STORE_LENGTH_MOST = 256 << 20 };  /* bytes of one text or row */

enum store_statement {
    ST_JSON_TYPE,
    ST_EVENT_FIND,
    ST_EVENT_INSERT,
    ST_BLOB_INSERT,
    ST_EVENT_BLOB,
    ST_EVENTS,
    ST_BLOB,
    ST_STREAMS,
    ST_SETTING_BODY,
    ST_SETTING,
    ST_PROJECTED,
    ST_PROJECTION_FRESH,
    ST_PROJECTION_SET,
    ST_ATTEMPT_PUT,
    ST_LINES_CLEAR,
    ST_LINE_PUT,
    ST_BELIEF_PUT,
    ST_ANSWER_PUT,
    ST_ATTEMPTS,
    ST_LINES,
    ST_BELIEFS,
    ST_ITEM_LAST,
    ST_REVIEW_PUT,
    ST_ITEM_PUT,
    ST_UNDO_FIND,
    ST_UNDO_NEW,
    ST_UNDO_ITEM,
    ST_UNDO_ANSWER,
    ST_UNDO_REVIEW,
    ST_ITEMS,
    ST_ITEM,
    ST_REVIEWS,
    ST_REVIEW,
    ST_STUDY_DAYS,
    ST_TALLIES,
    ST_ANSWERS,
    ST_COUNT_ALL,
    ST_LOG,
    ST_BLOBS_OF,
    ST_TEXTS,
    ST_SAME_EVENT,
    ST_COUNT
};

struct store {
    sqlite3 *db;
    char *path;
    bool network;     /* the file lies where other hosts may see it */
    bool reading; /* db is a copy in memory: nothing is written but a rebuild, which nobody else
                     sees */
    bool rebuilding;  /* between store_rebuild_begin and store_rebuild_end */
    bool importing; /* between store_import_begin and store_import_end: a rebuild joins that
                       transaction */
    char message[1536];
    sqlite3_stmt *statement[ST_COUNT]; /* prepared at first use */
};

/* One numbered change of the log's shape; user_version counts those that were applied. */
struct store_step {
    const char *sql;
};

struct store_place {
    int busy_ms;
    bool network;
    const struct store_step *steps; /* tests bring their own */
    int n_steps;
};
int store_open_at(struct store **out, const char *path, const struct store_place *place);

/* The steps that this program knows, oldest first; their number is the version of a file that it
 * writes. */
enum { STORE_STEPS = 1 };
void store_steps(struct store_step out[STORE_STEPS]);

/* Text of db/NAME as it was at build time; never NULL for a file that exists. */
const char *store_schema(const char *name);

/* Keeps the message and returns the code. */
int store_refuse(struct store *s, int rc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The file is damaged: STORE_DAMAGED, with what stands at its beginning. */
int store_refuse_damaged(struct store *s, const char *doing);

/* Turns the connection's last error into one of our codes and a message; `doing` completes
 * "cannot ...", such as "store this step". Call it before anything else touches the connection. */
int store_fail(struct store *s, const char *doing);

/* A copy in memory of what `from` holds, as the program would have it open: brought to our format,
 * only to be read. *out is set even on failure, but for lack of memory. */
int store_open_copy(struct store **out, const char *path, sqlite3 *from);

/* BEGIN IMMEDIATE: the lock is taken, or refused, before anything is read. */
int store_begin(struct store *s);
int store_commit(struct store *s, const char *doing);
void store_rollback(struct store *s);
int store_exec(struct store *s, const char *sql, const char *doing);

/* log.c, for bulk.c: one row each, inside a transaction. */
int store_event_put(struct store *s, struct store_event *e);
int store_blob_put(struct store *s, const struct store_blob *blob);
int store_event_refer(struct store *s, int64_t seq, const char *sha256);
int store_collect_events(struct store *s, sqlite3_stmt *st, struct store_event **out, int *n);

/* The prepared statement, reset and unbound; NULL with the message set. */
sqlite3_stmt *store_statement(struct store *s, enum store_statement which);

/* Steps a statement that returns no row, and resets it. */
int store_run(struct store *s, sqlite3_stmt *st, const char *doing);

/* Steps to the end; `read` fills one zeroed item of `size` bytes per row, false on lack of memory.
 * On failure nothing is handed out; `drop` (may be NULL) frees what one item owns. */
struct store_reader {
    size_t size;
    bool (*read)(sqlite3_stmt *st, void *item);
    void (*drop)(void *item);
};
int store_collect(struct store *s, sqlite3_stmt *st, const struct store_reader *reader, void **out,
                  int *n, const char *doing);

/* projection.c: marks `seq` as seen; *fresh is false when the rows are of another version or lag
 * behind, and then they are left for the rebuild. */
int projection_advance(struct store *s, int64_t seq, bool *fresh);
int projection_write(struct store *s, const struct store_change *change, const char *attempt_uid,
                     int64_t seq);
/* items.c: one review, refused (STORE_BUSY) when its item is not as `before` says; and its
 * reversal. */
int projection_review(struct store *s, const struct store_review *r, int64_t seq);
int projection_undo(struct store *s, const char *uid);
/* Creates the tables of progress.sql, empty and marked as this program's. Inside a transaction. */
int projection_create(struct store *s);

#endif
