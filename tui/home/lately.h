/* What was done lately: attempts, and between them the sessions of drills and cards, newest first.
 * Pure. */
#ifndef WD_TUI_LATELY_H
#define WD_TUI_LATELY_H

#include "db/store.h"
#include "drills/library/library.h"

/* Answers of one kind with less than half an hour between them. */
struct lately {
    int64_t at_ms;                       /* UTC, when it began */
    const struct store_attempt *attempt; /* borrowed; NULL: a session */
    bool cards;                          /* of a session: cards, else drills */
    int n, right,
        minutes; /* of a session: answers, those that were right, time taken (rounded up) */
    char title[96];                      /* of a session: "Drills: collectives, memory" */
};

/* At most `most`, malloc'd; returns how many. Attempts and reviews newest first, as the store gives
 * them. The library may be NULL: then sessions do not say what they were about. When the reviews
 * were cut (`cut`), the oldest session of each kind is left out, since it may not be whole. */
int lately_make(struct lately **out, const struct store_attempt *a, int n_a,
                const struct store_review *r, int n_r, bool cut, const struct library *l, int most);

#endif
