/* One queue for cards, drills and missed causes: what to do today, in which order, and a sentence
 * why for every item. Pure and deterministic: the same items, settings and time give the same
 * queue. No item is left out; what is not for now has its place and its reason. */
#ifndef WD_DRILLS_QUEUE_H
#define WD_DRILLS_QUEUE_H

#include "db/store.h"

enum queue_kind { QUEUE_CARD, QUEUE_DRILL, QUEUE_CAUSE, QUEUE_KINDS };

struct queue_item {
    char id[128];                /* "card:...", "figure:...", "drill:...", "cause:..." */
    const char *topic;           /* borrowed, never NULL */
    enum queue_kind kind;
    int level;                   /* 1..5 */
    int seconds;                 /* that it takes */
    const char *absent; /* why it cannot be asked here, a few words, borrowed; NULL: it can */
    struct store_memory memory;  /* all zero: not seen yet */
};

struct queue_settings {
    int today;                   /* study day */
    int64_t now_ms;              /* UTC, for steps in minutes */
    int interview;               /* study day of the interview; 0: none */
    double retention;            /* wanted chance of recall, far from the interview */
    int new_cards, new_drills;   /* a day */
    int most_reviews;            /* a day; slips and steps in minutes not counted */
};
extern const struct queue_settings
    queue_default; /* no interview, 0.9, 15, 5, 200; today and now_ms 0 */

/* The list: slips, steps in minutes, then what is nearest to being forgotten with the new spread
 * among it, topics and kinds in turn.
 *
 * Before the interview: from 30 days on the wanted recall rises to 0.97; every item is due once
 * more in the last days (seven, more when the load asks for it), spread over them; after that look
 * nothing comes that would fall on the interview or later; nothing new in the last two days. On its
 * day and after it the model's own days hold again. */
enum queue_place {
    QUEUE_NOW,                   /* the list, in order */
    QUEUE_SOON,                  /* a step in minutes, later today */
    QUEUE_HELD,                  /* due, but over the day's reviews */
    QUEUE_WAITING,               /* due on a later day, or not at all before the interview */
    QUEUE_UNSEEN,                /* not for today */
    QUEUE_ABSENT
};
enum queue_reason {
    WHY_STEP,
    WHY_SLIP,
    WHY_DUE,
    WHY_LAST_LOOK,
    WHY_SOONER,
    WHY_NEW,
    WHY_NEW_ASKED, /* now, held or waiting */
    WHY_CAP,
    WHY_NOT_AFTER,
    WHY_NEW_TOMORROW,
    WHY_NEW_TOO_LATE,
    WHY_ABSENT
};
struct queue_entry {
    int item;                    /* index */
    enum queue_place place;
    enum queue_reason reason;
    int day;                     /* when it is due; 0: not at all, or not known */
    double recall;               /* chance of it now; 0 when new */
};

/* fresh: new among now; done: looked at today, by scenarios not counted; again: done ones among
 * now; seconds: of now */
struct queue_sum { int now, slips, fresh, soon, held, unseen, done, again, seconds; };

struct queue {
    struct queue_entry *entries;
    int n; /* all items; the first n_now are the list, then soon, held, waiting by day, unseen,
              absent */
    int n_now;
    struct queue_sum sum[QUEUE_KINDS];
};
void queue_build(struct queue *out, const struct queue_item *items, int n,
                 const struct queue_settings *settings);
void queue_free(struct queue *q);

/* Cards and missed causes together, as they are asked. */
struct queue_sum queue_cards(const struct queue *q);

/* "due 3 days ago, 71 % likely to be recalled". Needs the items and settings of the build. */
void queue_why(char *out, size_t size, const struct queue_entry *e, const struct queue_item *items,
               const struct queue_settings *settings);

/* Minutes of a step as they are told: rounded up. */
int queue_minutes(int64_t ms);

/* The study day on which a seen item comes back under these settings (never today when it was seen
 * today); 0: not before the interview. n_seen: items seen so far, for the length of the last days.
 */
int queue_due_day(const struct queue_item *item, const struct queue_settings *settings, int n_seen,
                  enum queue_reason *why);
/* The day after today on which it will be on the list. Wanted recall rises as the interview comes
 * nearer, so this may be before the day that queue_due_day has today; 0 as there. */
int queue_comes_back(const struct queue_item *item, const struct queue_settings *settings,
                     int n_seen);
/* First of the last days before the interview. */
int queue_last_days(const struct queue_settings *settings, int n_seen);

/* How much interviews ask of a topic, 1 to 3: a judgement from the source documents, not a
 * statistic. */
int queue_weight(const char *topic);

#endif
