/* What a day's practice will be under these settings, by playing it forward: everything on the list is answered, one in ten wrong. Pure and
 * deterministic; an estimate, not a promise. */
#ifndef WD_DRILLS_FORECAST_H
#define WD_DRILLS_FORECAST_H

#include "drills/queue.h"

enum { FORECAST_DAYS = 60 };
struct forecast {
    int days;           /* played: until the interview, at most FORECAST_DAYS; 30 without one; 0 when it is today */
    double items;       /* looked at a day, on average */
    double seconds;     /* a day, second tries included */
    int unseen;         /* never seen at the end, of what can be asked here */
};
void forecast_make(struct forecast *out, const struct queue_item *items, int n, const struct queue_settings *settings);

#endif
