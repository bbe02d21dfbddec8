/* Inside transfer_*.c: what writing and reading share (transfer_own.c), and what its files call of
 * each other. */
#ifndef WD_DRILLS_TRANSFER_OWN_H
#define WD_DRILLS_TRANSFER_OWN_H

#include <jansson.h>
#include <stdbool.h>

#include "drills/transfer/transfer.h"

#define TRANSFER_FORMAT "warpdrill-log"
enum { TRANSFER_VERSION = 1 };
#define TRANSFER_JSON (JSON_COMPACT | JSON_REAL_PRECISION(17))

/* A store's refusal as an error. */
int transfer_store_error(struct store *store, int rc, struct err *err);

/* NULL, or what is wrong with an event that comes from elsewhere, its body apart. */
const char *transfer_event_fault(const struct store_event *e);
/* Numbers as they were read, names in their order. Bytes that are no text become '?'. NULL: no JSON
 * object. */
json_t *transfer_body(const struct store_event *e);

/* What an event has: members of a line of JSON, columns of events.csv. */
enum { TRANSFER_EVENT_COLUMNS = 10 };

/* A line of CSV. */
void transfer_write_row(FILE *f, const char *const *cells, int n);

/* The tables that screens read, as FOLDER/NAME.csv. */
int transfer_write_tables(struct store *store, const char *folder, struct err *err);
FILE *transfer_create(const char *folder, const char *name, struct err *err);
/* Closes; a full disk is found here at the latest. */
int transfer_close(FILE *f, const char *folder, const char *name, struct err *err);

/* ---- taking in ---- */

struct taking {
    struct store *store;
    bool head_alone;                /* whether it is an export, and no more */
    const char *file; int line;     /* where the line that is being taken stands */
    struct transfer_report *report;
    json_t *attempts;               /* by stream: what is known of its state (transfer_take.c) */
    json_t *settings; /* by name: when it was set here; NULL until one comes */
    long events, blobs;             /* seen */
    struct err *err;
};
void taking_begin(struct taking *t, struct store *store, struct transfer_report *report,
                  struct err *err);
void taking_end(struct taking *t);

/* 0: go on (also after a refusal, which is noted); a code: the store failed, or too much was
 * refused. */
int taking_refuse(struct taking *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int taking_head(struct taking *t, const char *format, json_int_t version);
int taking_blob(struct taking *t, const char *sha256, const char *encoding, const char *content);
/* blobs: an array of hashes. */
int taking_event(struct taking *t, struct store_event *e, const json_t *body, const json_t *blobs);

#endif
