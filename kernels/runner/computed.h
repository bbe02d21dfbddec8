/* Counters without the profiler: a run's kernel is instrumented (instrument.h), run once, and the
 * figures of the probes `memory` and `shared` are computed from what it counted. Never a source of
 * times. */
#ifndef WD_RUNNER_COMPUTED_H
#define WD_RUNNER_COMPUTED_H

#include "kernels/runner/plan.h"
#include "kernels/wire/metric.h"

bool computed_serves(enum wire_probe probe);

/* Fills p, whose tier becomes "computed": every metric of its probe, computed or missing, and notes
 * that say `why` the hardware's counters are not to be had and what would help. An instrumented
 * copy that cannot be made or run is a part of missing metrics, not an error; what the kernel did
 * wrong is one. */
int computed_fill(struct msg_part *p, struct task *t, struct buffers *buffers, struct plan *plan,
                  const struct err *why, struct err *err);

#endif
