/* NVML: what the GPU says of itself. All of it optional: without NVML nothing is noted. */
#ifndef WD_RUNNER_HEALTH_H
#define WD_RUNNER_HEALTH_H

#include "kernels/runner/task.h"

struct health;

/* Never NULL; a missing library makes one that knows nothing. */
struct health *health_new(const struct gpu *g);
void health_free(struct health *h);

/* Names of the reasons why clocks are held down now ("power cap"), idle not among them.
 * Returns how many were put into names[]. */
int health_throttle(struct health *h, const char **names, int max);

/* A note "clocks: power cap" for each of them. */
void health_note_throttle(struct health *h, struct msg_part *p);

/* Driver version as people know it ("580.159.04"); "" if unknown. */
const char *health_driver(const struct health *h);

/* Uncorrected memory errors since the driver was loaded; 0 when the GPU does not count them. */
uint64_t health_memory_errors(struct health *h);

#endif
