/* The check probe: what a colleague's test would do. One launch to warm up, buffers restored,
 * outputs and workspaces zeroed, one run, a comparison with a float64 reference. Nothing is
 * poisoned, and shared memory holds what the warm-up left there. */
#ifndef WD_RUNNER_CHECK_H
#define WD_RUNNER_CHECK_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/results.h"
#include "kernels/runner/task.h"

/* Whether an item wants buffers placed otherwise; then a fault of the kernel, or a run that does
 * not end, is a finding. */
bool check_is_risky(const struct msg_item *item);
/* May a run of this item fail, as a finding? Of risky checks, and of what asks for an outcome. */
bool check_may_fail(const struct msg_item *item);

/* Into a part: what one run left, right or wrong. */
void check_tell(struct msg_part *p, const struct findings *f, uint64_t broken, int changed);

/* Into the reference's part: whether zeros, nothing or a copied input would pass as an output. Kept
 * copies of the results are written over. */
int check_the_check(struct results *r, struct msg_part *p, struct err *err);

/* Sends a part for the reference, which says whether zeros, untouched poison and a copied input
 * would be found wrong, and one for each named run, with "verdict: right" or "verdict: wrong". A
 * risky item makes buffers of its own (`base` may be NULL), leaves the reference's part out, begins
 * with run number task->runs_done, and returns 0 after a fault too (its part says faults 1) and
 * after a run that had not ended when its share of the deadline was over (faults is missing, and
 * task->hung): the device is lost, and runs_done tells how far it came. */
int check_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                  struct err *err);

#endif
