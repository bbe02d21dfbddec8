/* CUPTI's range profiler as one call: names and a launch in, values out. */
#ifndef WD_RUNNER_PROFILER_H
#define WD_RUNNER_PROFILER_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/runner/gpu.h"

struct profiler;

/* Loads CUPTI, asks whether this device can be profiled, and which counters it has. On failure err
 * says what would help. */
int profiler_new(struct profiler **out, struct gpu *g, struct err *err);
void profiler_free(struct profiler *p);

const char *profiler_chip(const struct profiler *p);     /* "GH100" */
const char *profiler_version(const struct profiler *p);  /* "13.0" */
const struct cupti_api *profiler_api(const struct profiler *p);

/* Whether the chip has a counter of this name. Asked once a name; then remembered. */
bool profiler_knows(struct profiler *p, const char *name);

/* `prepare` runs before each pass (1-based) and leaves the stream idle; `launch` puts exactly one
 * kernel on the stream and waits for it. */
struct profiler_work {
    void *arg;
    int (*prepare)(void *arg, int pass, int of, struct err *err);
    int (*launch)(void *arg, struct err *err);
};

/* Fills values[0..n-1]. ERR_PERMISSION, ERR_BUSY or ERR_UNSUPPORTED when the profiler refuses. */
int profiler_collect(struct profiler *p, const char **names, size_t n,
                     const struct profiler_work *work, double *values, struct err *err);

/* Passes of the last collection. */
int profiler_passes(const struct profiler *p);

#endif
