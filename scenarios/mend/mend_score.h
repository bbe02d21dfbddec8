/* How mending went: a score of its own, beside which that of the diagnosis stays what it is.
 * Pure. */
#ifndef WD_SCENARIOS_MEND_SCORE_H
#define WD_SCENARIOS_MEND_SCORE_H

#include "scenarios/mend/mend_kept.h"

struct mend_score {
    int tries, right;           /* that were judged; of these right */
    int best;                   /* the number of the best; 0: none is right */
    bool done;                  /* the best is as fast as its target */
    bool has_share; double share; /* of the gap that the best closed */
    double speed;               /* of a task: the best's share of our best's; else 0 */
    double seconds;             /* from the first try to the best, else to the newest */
    int hints;
    const char *gpu;            /* of the best; borrowed from the tries; "": none */
};

/* Texts that were laid aside are no tries. */
struct mend_score mend_score_of(const struct mend_tries *t);
/* "right, 82 % of the gap closed, 4 tries, 12 min, 1 hint (NVIDIA H100)" */
void mend_score_words(char *out, size_t size, const struct mend_score *s);
/* The same for a list: "not begun" and "no try yet, 2 hints" where nothing was judged. */
void mend_progress_words(char *out, size_t size, const struct mend_tries *tries);
json_t *mend_score_encode(const struct mend_score *s); /* new reference */

#endif
