/* What a day's practice will be under these settings, by playing it forward: everything on the list
 * is answered, one in ten wrong. Pure and deterministic; an estimate, not a promise. */
#ifndef WD_DRILLS_FORECAST_H
#define WD_DRILLS_FORECAST_H

#include "drills/memory/queue.h"

enum { FORECAST_DAYS = 60 };
struct forecast {
    int days; /* played: until the interview, at most FORECAST_DAYS; 30 without one; 0 when it is
                 today */
    double items;       /* looked at a day, on average */
    double seconds;     /* a day, second tries included */
    int unseen;         /* never seen at the end, of what can be asked here */
    int unseen_drills;  /* those of them that are drills; the others are cards */
};
void forecast_make(struct forecast *out, const struct queue_item *items, int n,
                   const struct queue_settings *settings);

/* How many new cards and drills a day would show everything by the end; what suffices stays as it
 * is. false: no number of them would, as in the last two days before an interview. Plays forward
 * several times. */
bool forecast_needed(int *new_cards, int *new_drills, const struct queue_item *items, int n,
                     const struct queue_settings *settings);

#endif
