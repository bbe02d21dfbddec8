/* The outcome probe: one run of which nobody knows whether it comes to an end. A launch that is
 * refused, a fault and a run that does not end are findings, no errors; the last two cost the
 * worker. */
#ifndef WD_RUNNER_OUTCOME_H
#define WD_RUNNER_OUTCOME_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

/* Sends one part for each run from number task->runs_done on, with the driver's own words for a
 * failure. After a fault or a run without an end the device is lost and it returns 0; runs_done
 * tells how far it came. */
int outcome_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                    struct err *err);

#endif
