/* What the links of this host reach: copies between each two GPUs, between a GPU and pinned memory,
 * and all-reduces of many sizes. */
#ifndef WD_RUNNER_LINKS_H
#define WD_RUNNER_LINKS_H

#include "kernels/runner/task.h"
#include "kernels/runner/world.h"
#include "kernels/wire/links.h"

/* Measures all of it on the world, which takes some seconds; `driver` is its version. What peers or
 * NCCL refuse is left out, with the reason, and is no failure. Any other error, and a copy or
 * collective that is not over before its limit or the task's deadline, ends it: the world is lost.
 * Two GPUs at least. */
int links_measure(struct msg_links *out, struct world *w, struct task *t, const char *driver,
                  struct err *err);

#endif
