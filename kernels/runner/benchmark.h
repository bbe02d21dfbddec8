/* The benchmark probe: a timing program as somebody wrote it, executed step by step, whatever it
 * measures. Nothing here makes it better: what is not waited for runs on, what is not loaded is
 * loaded when it is met. kernels/PROTOCOL.md says what each field does. */
#ifndef WD_RUNNER_BENCHMARK_H
#define WD_RUNNER_BENCHMARK_H

#include "kernels/runner/bench.h"
#include "kernels/runner/task.h"

/* Sends a part for each run of the item, on buffers of its own: samples in order, what is reported
 * of them, and whether the output was right after all was done. ERR_TOO_LARGE, with the figures,
 * when the program cannot end before the deadline. */
int benchmark_measure(struct task *t, struct bench *b, const struct msg_item *item,
                      struct err *err);

#endif
