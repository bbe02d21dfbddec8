/* The probes check and repeat on several GPUs: a run and its reference are executed on all of them,
 * each GPU's outputs are compared with that GPU's truth, and the worst GPU is told (check.h,
 * repeat.h). */
#ifndef WD_RUNNER_RANKS_CHECK_H
#define WD_RUNNER_RANKS_CHECK_H

#include "kernels/runner/ranks.h"

/* Of the buffers that were staged. They send the item's parts. */
int ranks_check_measure(struct task *t, const struct msg_item *item, struct err *err);
int ranks_repeat_measure(struct task *t, const struct msg_item *item, struct err *err);

#endif
