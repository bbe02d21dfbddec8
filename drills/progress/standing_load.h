/* Where you stand, gathered from the store in one go: shares per topic and per cause, slips,
 * calibration, the year. */
#ifndef WD_DRILLS_STANDING_LOAD_H
#define WD_DRILLS_STANDING_LOAD_H

#include "drills/memory/queue.h"
#include "drills/progress/standing.h"
#include "kernels/wire/err.h"

enum { STANDING_SLIPS = 5 };

struct standing {
    struct standing_share *topics;
    int n_topics; /* in the order of drill_topics, those with content or tries */
    struct standing_share *causes;
    int n_causes; /* in the order of the taxonomy, those that were met; finished first looks */
    struct standing_share estimates; /* every estimate, in drills and scenarios: n, right, factor */
    struct standing_slip slips[STANDING_SLIPS]; int n_slips;
    struct standing_bin beliefs[STANDING_BINS];
    int n_beliefs; /* (a) what was believed of causes */
    struct standing_bin stated[STANDING_STATED];
    struct standing_heat heat;                       /* reviews and finished scenarios */
    void *memory;                                    /* what the names above are borrowed from */
};
/* Items as queue_load returns them give topics to reviews; they must outlive the result. A topic's
 * tries are the first review of each item a day, cards and drills alike. Returns a code; on failure
 * nothing is to be freed. */
int standing_load(struct standing *out, struct store *store, const struct queue_item *items, int n,
                  int today, struct err *err);
void standing_free(struct standing *s);

#endif
