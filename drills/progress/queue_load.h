/* What the queue is built from: the content, what memory holds of it, and the person's settings. */
#ifndef WD_DRILLS_QUEUE_LOAD_H
#define WD_DRILLS_QUEUE_LOAD_H

#include "drills/library/library.h"
#include "drills/memory/queue.h"
#include "kernels/wire/err.h"

/* Every drill, card and figure (asked among the cards), then every missed cause, then what was
 * learned and no content holds any more (absent), each with its memory. Topics are borrowed from
 * the library, which may be NULL, as the store may. `gpu`: drills about one's own machine can be
 * asked. free() the items. Returns a code; on failure the content is there without memory. */
int queue_load(struct queue_item **out, int *n, const struct library *l, struct store *store,
               bool gpu, struct err *err);

/* Settings as kept by name: interview (2026-12-01), retention, new-cards, new-drills, most-reviews.
 * What is missing or odd is the default. */
void queue_settings_load(struct queue_settings *out, struct store *store, int64_t now_ms);

/* A person without a drill before today begins with ten, unless new drills are switched off. */
void queue_settings_begin(struct queue_settings *s, const struct queue_item *items, int n);

/* The study day of "2026-12-01"; 0 when that is no date. */
int queue_read_date(const char *text);

/* The item with this id, or NULL. */
const struct queue_item *queue_find(const struct queue_item *items, int n, const char *id);

#endif
