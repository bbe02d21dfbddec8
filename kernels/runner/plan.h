/* A run made ready: its kernels found, its arguments bound to buffers. */
#ifndef WD_RUNNER_PLAN_H
#define WD_RUNNER_PLAN_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

struct plan_launch;
struct plan {
    struct plan_launch *launches;
    int n;
};

/* Binds run `id` of the shape. Refuses, by name, what the device could never launch. */
int plan_new(struct plan *out, struct task *t, int variant, const char *id, const struct buffers *b, struct err *err);
void plan_free(struct plan *p);

/* Enqueues launches from..to-1. */
int plan_enqueue(const struct plan *p, struct gpu *g, int from, int to, struct err *err);

/* The launch that takes longest: 0 for a run of one; otherwise each is timed once, cold or not. */
int plan_longest(const struct plan *p, struct task *t, int *longest, struct err *err);

/* The kernel of a launch, for its attributes. */
cu_function plan_function(const struct plan *p, int launch);

#endif
