/* The log as a whole: read at one moment, and taken over from another store. For exports, imports
 * and copies. */
#ifndef WD_DB_BULK_H
#define WD_DB_BULK_H

#include "db/store.h"

/* Between these every reading call sees the same moment; nothing may be written. */
int store_snapshot_begin(struct store *s);
void store_snapshot_end(struct store *s);
int store_count(struct store *s, int64_t *events, int64_t *blobs);
/* Events of all streams after that seq (0: from the beginning), oldest first; limit 0: all. As
 * store_events. */
int store_log(struct store *s, int64_t after, int limit, struct store_event **out, int *n);
/* What an event refers to, sorted. */
struct store_hash { char sha256[65]; };
int store_event_blobs(struct store *s, int64_t seq, struct store_hash **out, int *n);
/* Every blob that is held, sorted. */
int store_texts(struct store *s, struct store_hash **out, int *n);

/* Events of another store, all or nothing: begin, blobs before the events that refer to them, the
 * rebuild that the projections need (it joins this transaction), end. Texts to which nothing refers
 * are dropped. An event keeps its uid and gets a new seq, so a stream has its events in the order
 * in which they came into this store. */
int store_import_begin(struct store *s);
int store_import_blob(struct store *s, const struct store_blob *blob);
/* 1 new, 0 known (the same uid, stream, kind and time), STORE_DAMAGED: another event has this uid,
 * or a blob is missing (store_message is then a clause); else a code. The body is checked as
 * store_append does. */
int store_import_event(struct store *s, struct store_event *event, const struct store_hash *blobs,
                       int n_blobs);
int store_import_end(struct store *s, bool commit);

#endif
