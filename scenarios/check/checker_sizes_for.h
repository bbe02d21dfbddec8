/* A variant's sizes on a GPU that need not be there. */
#ifndef WD_SCENARIOS_CHECKER_SIZES_FOR_H
#define WD_SCENARIOS_CHECKER_SIZES_FOR_H

#include "scenarios/check/findings.h"

/* Sizes, launches, fills, memory and needs on this GPU: finds what does not fit (checker_fit.c). */
void check_fit_on(struct findings *f, const struct variant *v, const struct msg_device *device);

/* What they come out as: scenario, gpu, params {name: value}, buffers (name, type, count, bytes),
 * bytes (of all buffers), memory (of the GPU), launches (source, kernel, grid, block, shared),
 * steps (experiment, label, bytes) of sweeps. NULL where they cannot be worked out, which
 * check_fit_on finds. */
json_t *sizes_for(const struct variant *v, const struct msg_device *device);

#endif
