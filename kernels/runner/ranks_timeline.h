/* The timeline probe on several GPUs: when each kernel, collective and copy of a step began and
 * ended on each of them, by CUPTI's records, and what each host thread was at (timeline.h). */
#ifndef WD_RUNNER_RANKS_TIMELINE_H
#define WD_RUNNER_RANKS_TIMELINE_H

#include "kernels/runner/ranks.h"
#include "kernels/runner/timeline.h"

/* Of the buffers that were staged. Sends a part for each run; without CUPTI its metrics are
 * missing. */
int ranks_timeline_measure(struct timeline *tl, struct task *t, const struct msg_item *item,
                           struct err *err);

/* Time in which one of `spans` runs and none of `others`. Pure. */
double timeline_exposed(const struct span *spans, int n, const struct span *others, int n_others);

#endif
