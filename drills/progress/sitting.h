/* One sitting of practice: what the queue has for now, one after the other, in the order that it
 * had when the sitting began. Each answer is kept before the next question is asked, so that
 * leaving or a kill loses nothing; what is a matter of minutes comes again in between when it is
 * due.
 *
 * Time, store and settings are arguments; nothing here draws.
 *
 *   sitting.c         the plan, what is next, answers kept, tried again and taken back
 *   sitting_words.c   what is told of it: why, where, the sum at the end
 *
 * In: the library, the store, settings and the time. Out: what to practise now, what to do next,
 * where one stands and what that advises. Callers: tui/practice, home and commands. First to open:
 * sitting.c; then queue_load.c, next.c and standing_load.c, which the other screens ask. */
#ifndef WD_DRILLS_SITTING_H
#define WD_DRILLS_SITTING_H

#include "drills/memory/review.h"
#include "drills/progress/queue_load.h"

/* What a sitting stands on at one moment. All is borrowed for one call. */
struct sitting_given {
    const struct library *library;
    struct store *store;                        /* NULL: nothing can be kept */
    bool gpu;                                   /* drills about one's own machine can be asked */
    struct queue_settings settings;             /* its now_ms is the time of the call */
};

/* One answer of this sitting: what the table at its end shows, and what a question needs to be
 * asked again after undo. */
struct sitting_answer {
    char item[128], title[128];
    char *typed;                                /* owned */
    char slip[240], next[48];
    enum drill_how how;
    double points, log_error, seconds, allowed;
    bool factor;                                /* log_error says how far off it was */
    bool hint, counted;
    /* answered after its solution was shown, and so no better than before */
    bool seen;
    uint64_t seed;
    int grade;
    char uid[33];                               /* "" while it could not be kept */
    struct review review;                       /* of a counted one; its texts are this answer's */
};

struct sitting {
    unsigned kinds;                             /* 1 << QUEUE_DRILL ... */
    char topic[64];                             /* of the items; "": any */
    struct queue_item *items; int n_items;
    struct queue_settings settings;             /* of the last look */
    struct queue queue;
    char (*plan)[128]; int n_plan;              /* ids, as the queue stood at the beginning */
    struct sitting_answer *answers; int n_answers, room;
    int n_settled;                              /* the first answers, which wait for no store */
    /* taken back, and not answered again yet */
    struct seen { char item[128]; enum fsrs_grade most; } *seen; int n_seen;
};

/* A sitting over all that is due (topic ""), or practice of one topic: at most ten items, what is
 * due first, then new ones, then others by chance from `seed`. Returns a code when memory could
 * not be read; the sitting is open even then. */
int sitting_open(struct sitting *s, const struct sitting_given *given, unsigned kinds,
                 const char *topic, uint64_t seed, struct err *err);
/* What still waits is tried for the last time. The sitting may be all zero. */
void sitting_close(struct sitting *s, struct store *store, int64_t now_ms);

/* ---- what is asked ---- */

/* Reads the queue again. Returns a code when memory could not be read. */
int sitting_look(struct sitting *s, const struct sitting_given *given, struct err *err);
/* The next item for now, or NULL; *entry says why. Look first. */
const struct queue_item *sitting_next(const struct sitting *s, const struct queue_entry **entry);
/* One more though the list is empty: an item of the next minutes, one that the day's cap holds
 * back, or a new one. NULL: nothing at all. */
const struct queue_item *sitting_more(const struct sitting *s);
/* It leads the plan of today, and joins it where it was not there; one item, once. */
void sitting_lead(struct sitting *s, const char *id);
/* It cannot be asked here: not in this sitting. */
void sitting_skip(struct sitting *s, const char *id);
/* Is the entry's item one that this sitting is about? */
bool sitting_wants(const struct sitting *s, const struct queue_entry *e);
/* Was the item answered, and counted, among the first n answers? */
bool sitting_answered(const struct sitting *s, const char *id, int n);

/* ---- what is answered ---- */

/* Adds the answer and keeps its review; grade, uid and next of the newest answer are filled.
 * Returns a code when it could not be kept. sitting_retry tries again what the store was too busy
 * for. Answers are kept in the order in which they were given. Look afterwards. */
int sitting_answer(struct sitting *s, struct store *store, int64_t now_ms,
                   const struct sitting_answer *answer, const struct review *r, struct err *err);
/* An answer that is shown and not kept. */
void sitting_answer_uncounted(struct sitting *s, const struct sitting_answer *answer);
/* True when something waited, and all is kept now. */
bool sitting_retry(struct sitting *s, struct store *store, int64_t now_ms);
int sitting_due_ms(const struct sitting *s);    /* until the next retry; -1: nothing waits */

/* Takes the newest answer back and hands it out (free answer->typed): 1; 0 when there is none; a
 * code when it cannot be taken back now. Its solution was seen, so the next answer to the same
 * item is graded no better. Look afterwards. */
int sitting_undo(struct sitting *s, struct store *store, int64_t now_ms,
                 struct sitting_answer *out, struct err *err);

/* ---- words ---- */

/* Why it is asked now; "" for NULL. */
void sitting_why(const struct sitting *s, const struct queue_entry *e, char *out, size_t size);
/* "3 of 8" for the item that is asked, or was answered last; "8 of 8 and one again" for one that
 * comes back within its sitting. */
void sitting_place(const struct sitting *s, const char *item, bool open, char *out, size_t size);
/* "in 10 min", "tomorrow", "in 6 days": when an item comes back, as the queue shapes it. */
void sitting_when(const struct sitting *s, const struct queue_item *item,
                  const struct store_memory *m, char *out, size_t size);
/* The same for a grade that an item could get now. */
void sitting_preview(const struct sitting *s, const struct queue_item *item, enum fsrs_grade grade,
                     int64_t now_ms, char *out, size_t size);
/* "7 of 10 right, off by 1.2 x at the median, 6:40". */
void sitting_sum(const struct sitting *s, char *out, size_t size);
/* What is left for later: "3 come again within 9 min; 12 new ones wait for tomorrow". "" when
 * nothing. */
void sitting_later(const struct sitting *s, char *out, size_t size);

#endif
