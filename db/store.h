/* The store: an append-only event log and the projections that screens read, in one SQLite file.
 *
 * The log is the truth; one user event is one INSERT is one transaction, with its projections in
 * the same transaction. This module knows SQL and nothing of scenarios: bodies are JSON text that
 * the caller made, projections are rows that the caller computed. It includes nothing of ours and
 * keeps its message in its handle.
 *
 * In: one event of a person at a time, with the rows that the caller computed of it. Out:
 * events, and the rows that screens read. Callers: scenarios/play and interview (attempts),
 * drills (reviews, exports), tui (settings, history). First to open: log.sql and progress.sql,
 * the tables; then log.c, which appends. columns.c says where each column is kept, store.c opens
 * and migrates, projection.c writes rows, items.c what memory holds, moment.c when a day begins,
 * bulk.c the log as a whole, backup*.c copies. */
#ifndef WD_DB_STORE_H
#define WD_DB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the projections: db/progress.sql, and the rules by which callers fill it. Whoever changes
 * either raises it, and every row is made anew from the log. */
#define PROJECTION_VERSION 6

enum store_rc {
    STORE_OK = 0,
    STORE_BUSY =
        -1, /* another process holds the lock: try again on the next tick; nothing was written */
    STORE_NEWER = -2, /* the file was written by a newer warpdrill */
    STORE_DAMAGED = -3, /* not a database, or a damaged one */
    STORE_FAILED = -4, /* anything else: full disk, read-only folder; store_message says */
};

struct store;

/* Opens or creates the file (and its folder, mode 0700), applies migrations, copies the file to
 * FILE.before-vN first when it migrates. busy_ms bounds how long any later call waits for a lock
 * (the interface passes 0 to 20; commands 5000). *out is set even on failure so that the message
 * can be read; free it in any case. */
int store_open(struct store **out, const char *path, int busy_ms);
/* The same; but what can be read and not written (a read-only mount, somebody else's file) is
 * opened for reading: STORE_OK, *reading set, and store_message says why it cannot be written. What
 * is read is the file as it stood then; writing is refused with STORE_FAILED. An empty file is not
 * opened so. */
int store_open_to_read(struct store **out, const char *path, int busy_ms, bool *reading);
void store_free(struct store *s);
const char *store_message(const struct store *s);   /* borrowed; what happened, where, what to do */
const char *store_path(const struct store *s);

struct store_event {
    int64_t seq;                /* given by the store */
    char uid[33]; /* 32 hex digits, made by who acts: appending it twice stores it once */
    char stream[128];           /* "attempt:UID", "settings" */
    char kind[24];
    int version;
    int64_t at_ms;
    int day;                    /* local study day, 04:00 rollover */
    char actor[12], audience[8];
    char *body;                 /* JSON object; owned by the event when it was read */
};
struct store_blob { char sha256[65]; const void *bytes; size_t n; };

/* Rows written with an event. Fields left NULL/0 as said. */
struct store_attempt {
    char uid[33], scenario[96], content[65], tier[12], gpu[64], state[12];
    int64_t started_ms, elapsed_ms;
    int price;
    int cause_right;            /* was the cause found, and not given away? -1: not known yet */
    bool scored; double score; int score_rule;
    bool counted;               /* false: warm-up, or not a first look */
    char title[128], cause[48]; /* cause: "" until revealed */
    double on_truth;            /* belief in the truth when it was locked, 0..1; 0 until revealed */
};
struct store_score_line { char line[16]; double points, possible; char why[192]; };
struct store_belief { int step; char after[24]; char hypothesis[48]; int points; };
struct store_answer {
    char uid[33]; int day; char item[128]; int64_t seed; char given[128];
    bool readable;
    double value;
    char unit[12];
    double truth;
    double log_error;
    char slip[160];
    int64_t took_ms;
    int64_t at_ms, over_ms;     /* UTC; of took_ms, what was past the time given */
    char how[12]; /* right, close, slip, wrong, skipped, unreadable, dimension; "" not known */
    double low, high,
        confidence; /* an interval, stated confidence 0..1; confidence 0: a single number */
    bool hint;
    char attempt[33];           /* filled by store_answers; "" for a drill */
};

/* What memory holds of one item. All zero: never reviewed. Days are study days. */
struct store_memory {
    int phase, step;            /* 0 new, 1 learning, 2 review, 3 relearning */
    double stability, difficulty;
    int reviews, lapses;
    int days, days_right;       /* on which it was asked; of these, with a right first answer */
    int first_day, seen_day, due_day;
    int64_t seen_ms, due_ms;    /* UTC; due_ms 0: a matter of days */
    bool slip;                  /* the last answer was a named mistake */
    int64_t last;               /* seq of the last review; given by the store */
};
struct store_item { char id[128]; struct store_memory memory; };
struct store_review {
    int64_t seq;                /* its event; for store_project the caller's */
    char uid[33], item[128], given[128], model[12];
    int day, grade; int64_t at_ms, took_ms; bool correct;
    struct store_memory before, after; /* before: as the review before it left the item */
};
/* Lines, beliefs and answers belong to `attempt`, or, where it is NULL, to the attempt that the
 * event's stream names ("attempt:UID"); answers elsewhere stand alone. */
struct store_change {           /* all optional */
    const struct store_attempt *attempt; /* upserted; its content must be a stored blob */
    const struct store_score_line *lines; int n_lines;      /* replace the attempt's lines */
    const struct store_belief *beliefs; int n_beliefs;      /* upserted */
    const struct store_answer *answers;
    int n_answers; /* upserted by uid, which is their event's */
    /* Refused with STORE_BUSY when the item's last review is not `before.last`: another program was
     * quicker, read again. */
    const struct store_review *review;
    const char *undone; /* uid of a review: it and its answer go, its item is what it was.
                           STORE_FAILED unless it is the newest of its item */
};

/* One transaction: blobs that are not there yet, the event, the references, the projection rows.
 * `blobs` are referenced by the event. On STORE_OK event->seq is set (also when the uid was
 * already there: then nothing else is written). After STORE_OK the event survives a kill. Version 0
 * means 1, an empty actor "self", an empty audience "all". While store_needs_rebuild, `change` is
 * left for the rebuild and only the log grows. After a failure append the same event again: had a
 * failing disk kept it after all, it is found by its uid. */
int store_append(struct store *s, struct store_event *event, const struct store_blob *blobs,
                 int n_blobs, const struct store_change *change);

/* Events of one stream in order, newest last. The array and bodies are the caller's:
 * store_events_free. */
int store_events(struct store *s, const char *stream, struct store_event **out, int *n);
void store_events_free(struct store_event *events, int n);

/* A blob's bytes (NUL added after the end), malloc'd. STORE_FAILED if it is not there. */
int store_blob_get(struct store *s, const char *sha256, char **out, size_t *n);

/* Attempts, newest first; state NULL: all; limit 0: all. */
int store_attempts(struct store *s, const char *state, int limit, struct store_attempt **out,
                   int *n);
int store_score_lines(struct store *s, const char *attempt, struct store_score_line **out, int *n);
int store_beliefs(struct store *s, const char *attempt, struct store_belief **out, int *n);

/* 1 when the log holds this event, 0 when not. */
int store_has(struct store *s, const char *uid);

/* Settings: the newest value per name, kept as events of the stream 'settings'. */
int store_setting_put(struct store *s, const char *name, const char *value);
int store_setting_get(struct store *s, const char *name, char **out);                /* 1, 0, <0 */

/* Projections are rebuilt from the log when their version is not the program's. The caller folds
 * the events and hands rows to store_project. */
bool store_needs_rebuild(struct store *s);
int store_rebuild_begin(struct store *s);
int store_project(struct store *s, const struct store_change *change, const char *attempt_uid);
int store_rebuild_end(struct store *s, bool commit);
/* Every stream that begins with `prefix`, malloc'd strings. */
int store_streams(struct store *s, const char *prefix, char ***out, int *n);
void store_streams_free(char **streams, int n);

/* The format of the file, as its migrations count; negative: store_rc. */
int store_version(struct store *s);
/* Reads the whole file; STORE_OK or STORE_DAMAGED. */
int store_check(struct store *s);

#endif
