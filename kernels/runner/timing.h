/* The timing probe: one run, or two interleaved. */
#ifndef WD_RUNNER_TIMING_H
#define WD_RUNNER_TIMING_H

#include "kernels/runner/bench.h"
#include "kernels/runner/buffers.h"
#include "kernels/runner/health.h"

/* A run with steps of the host is timed by the host's clock (hosted.h), launch overhead and all; so
 * is one on several GPUs (ranks.h).
 *
 * Measures an item and sends its parts: one for each run, and for a pair one of the ratio ("a/b").
 * Rounds alternate A B, B A, ... Stops when the interval is settled (stats.h), after 2 s of GPU
 * time, after 300 rounds, or before the deadline. Calls shorter than 20 times the event floor are
 * batched. Rounds at less than 75 % of the rated clock are dropped, at most a fifth; then they
 * count, with the note "throttled". A median below what physics allows (limits.h) is not shown:
 * `time` and `ratio` are missing and say why. */
int timing_measure(struct task *task, struct bench *b, struct health *h, struct buffers *base,
                   const struct msg_item *item, struct err *err);

#endif
