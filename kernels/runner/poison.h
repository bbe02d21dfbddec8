/* The poison probe: whether results depend on what memory held before. */
#ifndef WD_RUNNER_POISON_H
#define WD_RUNNER_POISON_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

/* Each named run from zeros, NaN and random numbers in outputs and workspaces (shared memory:
 * zeros), then from NaN and random numbers in shared memory (buffers: zeros), each twice; a part
 * for each run. Bits are compared with the run from zeros alone; where that one does not repeat its
 * own bits, differences beyond the tolerance are counted instead, and a note says so. Examples are
 * elements beyond the tolerance where there are any; how many differ within it is a note. */
int poison_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                   struct err *err);

#endif
