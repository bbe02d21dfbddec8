/* A host thread for each GPU of a world. They do one thing at a time, all at once, each with its
 * own GPU; the worker's own thread waits for them with a deadline, since a rank that fails leaves
 * others waiting for ever in NCCL. */
#ifndef WD_RUNNER_HANDS_H
#define WD_RUNNER_HANDS_H

#include "kernels/runner/world.h"

struct hands;

int hands_new(struct hands **out, struct world *w, struct err *err);
/* Nothing where the world is lost: a thread that hangs is left behind, since the process ends. */
void hands_free(struct hands *h);

/* A rank's part, by its thread; the GPU's context is the thread's. world_meet waits for the others
 * here. */
typedef int (*hands_do)(void *arg, struct gpu *g, struct err *err);

/* All of them do it. A rank that fails, or is not through at `until` (os_monotonic_ms), ends it:
 * the world is lost, so the worker has to leave, and the error names the GPU (of a fault that the
 * driver tells on several, each), or how many of them were still at `name` ("run a"). */
int hands_all(struct hands *h, const char *name, hands_do what, void *arg, int64_t until,
              struct err *err);

#endif
