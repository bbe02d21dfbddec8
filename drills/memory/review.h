/* What one answer means to memory, and the event that keeps it. An item is "drill:SET/ID",
 * "card:SET/ID", "figure:SET/ID" or "cause:HYPOTHESIS"; its reviews are events of the stream
 * "item:ITEM": `reviewed` (cards, causes), `answered` (drills: a review with numbers), `undone`
 * (takes one back).
 *
 * The rows of an item follow from its events alone, so they can be rebuilt; nothing that depends on
 * the interview date is stored.
 *
 * In: a graded answer and the store. Out: the item's row with its next date; an order of items for
 * today. Callers: drills/progress and transfer, tui/practice, home and interview. First to open:
 * review.c; fsrs.c says when an item comes again, queue.c in which order, forecast.c how many on
 * which day. */
#ifndef WD_DRILLS_REVIEW_H
#define WD_DRILLS_REVIEW_H

#include "db/store.h"
#include "drills/memory/fsrs.h"
#include "drills/question/answer.h"
#include "drills/question/card.h"

struct review {
    char item[128];             /* at most 122 bytes are used */
    enum drill_how how;         /* not read when graded by oneself */
    enum fsrs_grade self;       /* recall graded by oneself; 0: by how and time */
    /* the solution was seen before: no better than the answer taken back; 0: not seen */
    enum fsrs_grade most;
    bool hint;
    double seconds, allowed;    /* taken; given, 0: no clock */
    double log_error;           /* ln(given / truth), for a close one */
    const char *given;          /* as typed; borrowed */
    const char *slip;           /* the mistake's name, or ""; borrowed */
    bool numbered;              /* a drill: what follows becomes a row of answers */
    uint64_t seed;
    const char *unit;           /* borrowed */
    double value, truth, low, high, confidence; /* SI base units; confidence 0: no interval */
};
/* From what was asked and how it was graded. */
void review_of_drill(struct review *out, const struct drill_instance *i,
                     const struct drill_graded *g, const char *typed, bool hint, double seconds);
/* A card: as graded, or, where self is not 0, by oneself. */
void review_of_card(struct review *out, const struct card *c, enum card_verdict verdict,
                    enum fsrs_grade self, const char *typed, double seconds);
/* Seconds that a card of this kind may take. */
int review_card_seconds(enum card_kind kind);

/* Again: wrong, a slip, skipped, close but by more than 1.5 x. Hard: close, or right after a hint
 * or in over 1.5 x the time. Easy: right within half the time. Good: right. An interval that holds
 * the truth is right up to a factor of two, Hard up to ten; one that misses is Hard when its middle
 * is within 1.5 x. None is better than `most`, where one has graded oneself excepted. 0: unreadable
 * or in another unit, to be typed again; that is no review. */
enum fsrs_grade review_grade(const struct review *r);

/* Writes it: event, item, review and answer in one transaction. Returns the grade, 0 when it was
 * none, or a negative code (ERR_BUSY: try again). `uid`: "" becomes a new one; after a failure call
 * again with the same. at_ms: UTC. retention: wanted chance of recall, 0.7 to 0.99. */
int review_write(struct store *store, const struct review *r, char uid[33], int64_t at_ms,
                 double retention, struct err *err);

/* Takes back a review, the newest of its item: the item is exactly what it was. Again for the same
 * one: nothing happens. */
int review_undo(struct store *store, const char *uid, int64_t at_ms, struct err *err);

/* Causes missed in finished first looks become items; later looks at the same cause review them.
 * Wrong: Again. Right with less than half of the belief: Hard; up to 85 %: Good; above: Easy. Each
 * attempt counts once, whenever this is called. Returns how many were written, or a code. */
int review_causes(struct store *store, struct err *err);

/* All projections from the log when their version changed: attempts, items, reviews. */
int review_rebuild(struct store *store, struct err *err);
/* The same whatever their version. */
int review_rebuild_now(struct store *store, struct err *err);

struct fsrs review_memory(const struct store_memory *m);
/* What an item would be after this grade now: nothing is written. */
struct store_memory review_after(const struct store_memory *m, enum fsrs_grade grade, int64_t at_ms,
                                 double retention);

#endif
