/* What this GPU reaches at best, measured once per device, driver and method, then read from the cache folder. */
#ifndef WD_RUNNER_CEILINGS_H
#define WD_RUNNER_CEILINGS_H

#include "kernels/runner/bench.h"

struct ceilings {
    double copy, read; /* B/s, footprint far above L2 */
    double launch;     /* s: an empty kernel between two events */
};

int ceilings_measure(struct ceilings *out, struct task *t, struct bench *b, struct err *err);

/* false when nothing was stored for this device, driver and method. */
bool ceilings_load(struct ceilings *out, const struct gpu *g);

/* Failing to store is no error: the next run measures again. */
void ceilings_store(const struct ceilings *c, const struct gpu *g);

#endif
