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
int plan_new(struct plan *out, struct task *t, int variant, const char *id, const struct buffers *b,
             struct err *err);
/* The same, but blocks that do not fit are not refused: the driver does that when it launches. */
int plan_new_as_is(struct plan *out, struct task *t, int variant, const char *id,
                   const struct buffers *b, struct err *err);
void plan_free(struct plan *p);

/* Enqueues launches from..to-1. The whole run goes to its streams and is joined again (lanes.h), so
 * that it is one step on the main stream; a part of it runs on the main stream alone, in order. */
int plan_enqueue(const struct plan *p, struct gpu *g, int from, int to, struct err *err);

/* The whole run, with an event before and after each launch on its stream. */
struct plan_marks {
    cu_event before[CAP_LAUNCHES], after[CAP_LAUNCHES];
};
int plan_enqueue_marked(const struct plan *p, struct gpu *g, const struct plan_marks *marks,
                        struct err *err);

/* One launch on its own stream, after those that it waits for. The caller joins the streams. */
int plan_enqueue_on_lane(const struct plan *p, struct gpu *g, int launch, struct err *err);

/* Launches from..to-1 as a graph, which the caller destroys; nothing runs. Other streams are forked
 * from the main one and joined again inside of it. */
int plan_capture(const struct plan *p, struct gpu *g, int from, int to, cu_graph_exec *out,
                 struct err *err);

/* The kernel of this GPU that takes longest, of some that take about as long the first: 0 for a run
 * of one; otherwise each is timed a few times, of which the least counts, cold or not.
 * ERR_UNSUPPORTED when it has none. */
int plan_longest(const struct plan *p, struct task *t, int *longest, struct err *err);

/* Every launch gets so much more dynamic shared memory. ERR_LAUNCH, with the figures, when a block
 * cannot have it. */
int plan_ballast(struct plan *p, struct gpu *g, uint32_t bytes, struct err *err);

/* Asks that the SMs give as much as they can to shared memory while the run's kernels are on them,
 * so that what lies there is neither moved nor lost between kernels; or no more. A wish: a driver
 * that cannot is not complained of. */
void plan_prefer_shared(const struct plan *p, struct gpu *g, bool on);

/* Threads, and bytes of shared memory in all, of a block of a launch. */
struct plan_block { unsigned threads, shared; };
int plan_block(const struct plan *p, struct gpu *g, int launch, struct plan_block *out,
               struct err *err);

/* Adds registers and local_bytes of the hungriest launch to a part, and a note when they exceed a
 * cap. */
int plan_tell_cap(const struct plan *p, struct gpu *g, int cap, struct msg_part *part,
                  struct err *err);

/* Puts another kernel with the same parameters in a launch's place. ERR_LAUNCH when a block of it
 * does not fit. */
int plan_replace(struct plan *p, struct gpu *g, int launch, cu_function f, struct err *err);

/* What the first kernel was found in; borrowed. A run has a kernel. */
const struct image *plan_image(const struct plan *p);

/* The kernel of a launch, for its attributes. */
cu_function plan_function(const struct plan *p, int launch);

#endif
