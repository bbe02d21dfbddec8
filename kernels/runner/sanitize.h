/* The sanitize probe: a run under NVIDIA's compute-sanitizer, where it is installed. */
#ifndef WD_RUNNER_SANITIZE_H
#define WD_RUNNER_SANITIZE_H

#include "kernels/runner/task.h"

/* 0 when the tool is there; else ERR_UNSUPPORTED with what would bring it. */
int sanitize_prove(struct err *err);

/* Starts compute-sanitizer with item->tool on this program, which launches the run once
 * (sanitized.h), and waits while it watches the task. Sends a part with one metric, and the first
 * findings as lines. Where the tool is missing, fails, or takes more than its share of the
 * deadline, the metric is missing and says why. */
int sanitize_measure(struct task *t, const struct msg_item *item, const char *run, struct err *err);

#endif
