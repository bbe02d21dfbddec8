/* The probes that read what the compiler and the launch decided: resources, build. */
#ifndef WD_RUNNER_RESOURCES_H
#define WD_RUNNER_RESOURCES_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/task.h"

int resources_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                      const char *run, struct err *err);
int resources_build(struct task *t, const struct msg_item *item, const char *run, struct err *err);

#endif
