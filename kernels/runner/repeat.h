/* The repeat probe: whether equal launches give equal bits. */
#ifndef WD_RUNNER_REPEAT_H
#define WD_RUNNER_REPEAT_H

#include "kernels/runner/bench.h"
#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

/* item->repeat launches of the run on the same inputs, outputs poisoned alike before each: by turns
 * with L2 flushed and not, alone and beside a kernel on another stream that shuffles which blocks
 * go first. Each is compared with the first. "verdict: identical", "verdict:
 * differing within the tolerance" (which does not say why) or "verdict: differing beyond the
 * tolerance". */
int repeat_measure(struct task *t, struct bench *b, struct buffers *base,
                   const struct msg_item *item, const char *run, struct err *err);

#endif
