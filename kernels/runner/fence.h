/* Device memory that ends at a fence: the addresses behind it are reserved and not mapped, so that
 * a kernel that touches them is stopped by the hardware instead of reading a neighbour. */
#ifndef WD_RUNNER_FENCE_H
#define WD_RUNNER_FENCE_H

#include "kernels/runner/gpu.h"

struct fence {
    cu_ptr at;                /* first mapped byte */
    size_t mapped, reserved;  /* bytes from `at`; those between the two have no memory */
    cu_memory memory;
};

/* Maps `bytes`, rounded up to the driver's granularity. ERR_UNSUPPORTED when the driver cannot. */
int fence_new(struct fence *out, struct gpu *g, uint64_t bytes, struct err *err);

/* Accepts a zeroed or partly made one; does nothing on a lost device. */
void fence_free(struct fence *f, struct gpu *g);

#endif
