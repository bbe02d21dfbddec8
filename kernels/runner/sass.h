/* The probe `sass`: what the compiler made of a run's kernels, as machine code where nvdisasm is
 * installed and as PTX otherwise. */
#ifndef WD_RUNNER_SASS_H
#define WD_RUNNER_SASS_H

#include "kernels/runner/task.h"

/* The part holds machine_instructions, the listing in its lines, and the series `line`: for each of
 * those the source line that it comes from, 0 where that is unknown or in another file. Notes:
 * "listing: SASS" or "listing: PTX", why it is PTX and what would bring SASS, and what was cut. */
int sass_measure(struct task *t, const struct msg_item *item, const char *run, struct err *err);

#endif
