/* The check probe: runs against a float64 reference, and the check itself against cheats. */
#ifndef WD_RUNNER_CHECK_H
#define WD_RUNNER_CHECK_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

/* Runs the reference once on buffers of its own (outputs f64), then each named run twice, from NaN and
 * from random contents; sends a part for each run, and one for the reference, which says whether zeros,
 * untouched poison and a copied input would be found wrong. Notes: "verdict: right" or "verdict: wrong". */
int check_measure(struct task *t, struct buffers *base, const struct msg_item *item, struct err *err);

#endif
