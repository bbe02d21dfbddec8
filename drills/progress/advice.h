/* What to do next and why, in sentences made from what the person did. Pure. They speak of topics,
 * numbers and beliefs, never of a scenario and its cause. */
#ifndef WD_DRILLS_ADVICE_H
#define WD_DRILLS_ADVICE_H

#include "drills/memory/queue.h"
#include "drills/progress/standing_load.h"

enum { ADVICE_MOST = 6 };
struct advice { char what[64], why[160]; };

/* The most pressing first: what is due, the weakest topic, what was never tried, beliefs and
 * intervals that are off, the slip that comes most often. Only what the data bear: a topic counts
 * from three tries on, a calibration when its interval excludes what was said. Returns how many. */
int advice_make(struct advice out[ADVICE_MOST], const struct standing *s, const struct queue *q);

#endif
