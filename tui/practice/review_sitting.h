/* One sitting of practice: what the queue has for now, one after the other, in the order that it had when the sitting began. Each answer is kept before
 * the next question is asked, so that leaving or a kill loses nothing; what is a matter of minutes comes again in between when it is due. */
#ifndef WD_TUI_REVIEW_SITTING_H
#define WD_TUI_REVIEW_SITTING_H

#include "drills/queue_load.h"
#include "drills/review.h"
#include "tui/app/app.h"

/* One answer of this sitting, as the table at its end shows it; what a question needs to be asked again after undo. */
struct sitting_answer {
    char item[128], title[128], shown[64];      /* shown: "5.2 ms", "right" */
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
};

struct sitting {
    unsigned kinds;                             /* 1 << QUEUE_DRILL ... */
    char topic[64];                             /* of the items; "": any */
    struct queue_item *items; int n_items;
    struct queue_settings settings;
    struct queue queue;
    char (*plan)[128]; int n_plan;              /* ids, as the queue stood at the beginning */
    struct sitting_answer *answers; int n_answers, room;
    /* taken back, and not answered again yet */
    struct seen { char item[128]; enum fsrs_grade most; } *seen; int n_seen;
    struct review waiting; bool is_waiting;     /* could not be kept yet; belongs to the newest answer */
};

void sitting_open(struct sitting *s, struct app *app, unsigned kinds);
/* Practice of one topic: at most ten items, what is due first, then new ones, then others by chance. "": as sitting_open. */
void sitting_open_topic(struct sitting *s, struct app *app, unsigned kinds, const char *topic);
/* What still waits is tried for the last time. */
void sitting_close(struct sitting *s, struct app *app);

/* Reads the queue again. */
void sitting_look(struct sitting *s, struct app *app);
/* The next item for now, or NULL; *entry says why. Look first. */
const struct queue_item *sitting_next(const struct sitting *s, const struct queue_entry **entry);
/* Why it is asked now; "" for NULL. */
void sitting_why(const struct sitting *s, const struct queue_entry *e, char *out, size_t size);
/* One more though the list is empty: what comes again within minutes, what the day's cap holds back, something new. NULL: nothing at all. */
const struct queue_item *sitting_more(const struct sitting *s);
/* It cannot be asked here: not in this sitting. */
void sitting_skip(struct sitting *s, const char *id);
int sitting_left(const struct sitting *s);      /* for now */
int sitting_counted(const struct sitting *s);   /* answered and counted so far */
/* "3 of 8" for the item that is asked, or was answered last; "8 of 8 and one again" for one that comes back within its sitting. */
void sitting_place(const struct sitting *s, const char *item, bool open, char *out, size_t size);

/* Keeps the review as the newest answer's; answer->grade, uid and next are filled. What cannot be kept is said; sitting_tick tries again. */
struct sitting_answer *sitting_answer(struct sitting *s, struct app *app, const struct sitting_answer *answer, const struct review *r);
/* An answer that is shown and not kept. */
struct sitting_answer *sitting_answer_uncounted(struct sitting *s, const struct sitting_answer *answer);
void sitting_tick(struct sitting *s, struct app *app);
int sitting_due_ms(const struct sitting *s);    /* -1: never */

/* Takes the newest answer back and hands it out (free answer->typed); false when there is none, or
 * it cannot be taken back now (said). Its solution was seen, so the next answer to the same item is
 * graded no better. */
bool sitting_undo(struct sitting *s, struct app *app, struct sitting_answer *out);

/* "in 10 min", "tomorrow", "in 6 days": when an item comes back, as the queue shapes it. */
void sitting_when(const struct sitting *s, const struct queue_item *item, const struct store_memory *m, char *out, size_t size);
/* The same for each grade that an item could get now. */
void sitting_preview(const struct sitting *s, const struct queue_item *item, enum fsrs_grade grade, char *out, size_t size);

/* The table at the end: rows from `top` on; returns how many there are in all. */
void sitting_draw_head(const struct sitting *s, int y, struct rect r);  /* on the rule above it */
int sitting_draw(const struct sitting *s, struct rect r, int top);
/* "7 of 10 right, off by 1.2 x at the median, 6:40". */
void sitting_sum(const struct sitting *s, char *out, size_t size);
/* What is left for later: "3 come again within 9 min; 12 new ones wait for tomorrow". "" when nothing. */
void sitting_later(const struct sitting *s, char *out, size_t size);

#endif
