/* The answer to `describe`: what this GPU is, what can be measured here, and its ceilings. */
#ifndef WD_RUNNER_DESCRIBE_H
#define WD_RUNNER_DESCRIBE_H

#include "kernels/runner/bench.h"
#include "kernels/runner/counters.h"
#include "kernels/runner/health.h"

struct describe_options {
    int gpus;              /* equal ones of this host that are visible */
    const char *ceilings;  /* "cached", "measure" or "none" */
    const char *nvrtc;     /* version that the compiler found; "" if none */
    const char *nvrtc_say,
        *nvrtc_remedy; /* why there is none, and what would help; NULL otherwise */
};

/* Sends the device message. */
int describe_send(struct task *t, struct bench *b, struct counters *c, struct health *h,
                  const struct describe_options *options, struct err *err);

#endif
