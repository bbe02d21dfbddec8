/* What changed between two tries, in the hardware's words. Pure. */
#ifndef WD_SCENARIOS_MEND_MOVED_H
#define WD_SCENARIOS_MEND_MOVED_H

#include "scenarios/mend/mend_verdict.h"

enum { MEND_MOVED_MOST = 6 };
struct mend_moved { const struct metric *metric; double from, to; };

/* Metrics of both that moved by a tenth or more, those that moved most first, at most
 * MEND_MOVED_MOST; returns how many. Times are not among them: bars tell those. */
int mend_moved(struct mend_moved out[MEND_MOVED_MOST], const struct mend_verdict *from,
               const struct mend_verdict *to);
/* "registers per thread   40 -> 64" in the metric's unit. */
void mend_moved_words(char *out, size_t size, const struct mend_moved *m);

#endif
