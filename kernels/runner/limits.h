/* What no kernel can exceed on this GPU, from its attributes alone. Pure. */
#ifndef WD_RUNNER_LIMITS_H
#define WD_RUNNER_LIMITS_H

#include <stdbool.h>

#include "kernels/runner/gpu.h"

/* Peaks at the rated clock; 0: not known for this GPU. */
struct limits {
    double dram;    /* B/s */
    double fma;     /* flop/s, FP32 multiply-adds */
    double
        tensor; /* flop/s, dense f16 on the tensor cores (GeForce gives half of it with f32 sums) */
    double fastest; /* flop/s of the narrowest type that the tensor cores take, dense: nothing is
                       faster */
};
struct limits limits_of(const struct gpu_facts *f);

/* What one call must do at least. `written` counts the bytes of buffers that it may write: so much,
 * at most one L2, can still be dirty there when the call ends and has not crossed to DRAM yet. */
struct limits_work {
    double bytes, flops;  /* by algorithm; 0: not declared */
    double footprint;     /* bytes of all buffers */
    double written;
    bool cold;            /* L2 held nothing of them before */
};

/* Seconds below which a call's time cannot be true; 0 when nothing is known. Bytes count only when
 * cold and with a footprint of at least four times L2: else caches may hold the data. `why`
 * receives a sentence for a person ("" when 0). */
double limits_shortest(const struct gpu_facts *f, const struct limits_work *w, char *why,
                       size_t size);

#endif
