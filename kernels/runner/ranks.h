/* A request on several GPUs: what it works with on each. A host thread for each (hands.h) goes
 * through a run's steps. Making ready, comparing and telling is done by the worker's own thread,
 * which turns from one GPU to the next; only the steps of a run are done by all threads at once. */
#ifndef WD_RUNNER_RANKS_H
#define WD_RUNNER_RANKS_H

#include "kernels/runner/bench.h"
#include "kernels/runner/hosted.h"
#include "kernels/runner/world.h"

struct ranks;
struct ranks_run;

/* One GPU's. Rank 0 has the worker's own task, bench and images. */
struct rank {
    struct task task;
    struct bench *bench;
    struct buffers *buffers; /* of the shape that was staged */
};

/* For the request of `t`, which goes on being rank 0's and keeps a pointer to them. */
int ranks_new(struct ranks **out, struct world *w, struct task *t, struct bench *bench,
              struct err *err);
void ranks_free(struct ranks *r);

int ranks_count(const struct ranks *r);
struct rank *ranks_at(struct ranks *r, int rank);

/* Buffers of a shape on every GPU, in the place of those before; rank 0's are the caller's. */
int ranks_stage(struct ranks *r, const struct msg_shape *shape, struct buffers *first,
                struct err *err);
/* Those of the truth; the caller frees each while its GPU is the thread's. */
int ranks_truth(struct ranks *r, const struct msg_shape *shape, struct buffers **out,
                struct err *err);

/* Does something on each GPU in turn, by the worker's thread. */
typedef int (*ranks_do)(void *arg, struct rank *rank, int at, struct err *err);
int ranks_each(struct ranks *r, ranks_do what, void *arg, struct err *err);

/* A run made ready on all of them, on the given buffers or (NULL) those that were staged; it has
 * run once. */
int ranks_run_new(struct ranks_run **out, struct ranks *r, int variant, const char *id,
                  struct buffers *const *on, uint32_t ballast, struct err *err);
void ranks_run_free(struct ranks_run *run);
const struct plan *ranks_run_plan(const struct ranks_run *run, int rank);
const struct hosted *ranks_run_hosted(const struct ranks_run *run, int rank);

/* All threads meet, then go through the steps until nothing runs on any GPU. *seconds is from the
 * meeting until the last has ended, by the host's clock; calls has CAP_STEPS + 1 for each rank.
 * Either may be NULL. What went before has to be over (ranks_settle). A rank that fails or hangs
 * ends it: the error names the GPU and what it was at, and the worker has to leave. */
int ranks_run_step(struct ranks_run *run, double *seconds,
                   struct hosted_call (*calls)[CAP_STEPS + 1], struct err *err);

/* On every GPU: in/out buffers as before a run, for warm ones. */
int ranks_refill(struct ranks *r, struct err *err);

/* On every GPU: buffers as before a run, L2 flushed if asked, then a wait for it. */
int ranks_settle(struct ranks *r, enum poison poison, bool flush, struct err *err);

#endif
