/* What memory holds, read: items, reviews, days of study, answers. */
#ifndef WD_DB_ITEMS_H
#define WD_DB_ITEMS_H

#include "db/store.h"

/* Items in the order of their ids; those due by that day, INT_MAX: all. */
int store_items(struct store *s, int due_by, struct store_item **out, int *n);
int store_item_get(struct store *s, const char *id,
                   struct store_item *out); /* 1 found, 0 not, <0 */
/* Reviews that stand, newest first, of one item (NULL: all) from a day on; limit 0: all. `uid` is
 * filled, after.reviews and days too. */
int store_reviews(struct store *s, const char *item, int since_day, int limit,
                  struct store_review **out, int *n);
int store_review_get(struct store *s, const char *uid,
                     struct store_review *out); /* 1 found, 0 not, <0 */

struct store_study_day { int day, reviews, correct; int64_t took_ms; };
/* Days with at least one review, oldest first, both ends included. */
int store_study_days(struct store *s, int first, int last, struct store_study_day **out, int *n);

/* Per item how often its first review of a day was right. */
struct store_tally { char item[128]; int n, correct; };
int store_tallies(struct store *s, struct store_tally **out, int *n);

/* Answers, newest first. */
struct store_answer_filter {
    const char *prefix;         /* of the item, such as "drill:"; NULL: all */
    int since_day;
    bool slips, intervals;      /* those alone */
    int limit;                  /* 0: all */
};
int store_answers(struct store *s, const struct store_answer_filter *filter,
                  struct store_answer **out, int *n);

#endif
