/* What this GPU reaches at best, measured once per device, driver and method, then read from the
 * cache folder. */
#ifndef WD_RUNNER_CEILINGS_H
#define WD_RUNNER_CEILINGS_H

#include <jansson.h>

#include "kernels/runner/bench.h"

enum ceiling {
    CEILING_COPY, CEILING_READ, CEILING_WRITE, /* B/s, footprint far above L2 */
    CEILING_L2,          /* B/s read, footprint well inside L2, past L1 */
    CEILING_FMA,         /* flop/s of FP32 multiply-adds */
    CEILING_TENSOR,      /* flop/s of mma.sync, f16 with f32 sums */
    CEILING_EVENT,       /* s: two events with nothing between them */
    CEILING_LAUNCH,      /* s: an empty kernel between two events */
    CEILING_LAUNCH_NEXT, /* s: what each further empty kernel in the same stream adds */
    CEILING_COUNT
};
const char *ceiling_name(enum ceiling c); /* as in the device message: "copy" */
const char *ceiling_unit(enum ceiling c);

struct ceilings { double value[CEILING_COUNT]; };

/* Takes about a second. The kernels' shapes are tried in turn; each ceiling is the best of their
 * medians. */
int ceilings_measure(struct ceilings *out, struct task *t, struct bench *b, struct err *err);

/* false when nothing was stored for this device, driver ("580.159.04"; "" for unknown) and method.
 */
bool ceilings_load(struct ceilings *out, const struct gpu *g, const char *driver);

/* Where they are kept, made when it is not there: a folder of its own, since the worker may write
 * there. Malloc'd; NULL without a home. */
char *ceilings_make_folder(void);

/* Failing to store is no error: the next run measures again. */
void ceilings_store(const struct ceilings *c, const struct gpu *g, const char *driver);

/* For what else is kept there (links_kept.h): the file of this device, driver and method, whose
 * name ends with `what` before ".json", malloc'd, NULL without a home; and keeping something in it,
 * which consumes both arguments. */
char *ceilings_file(const struct gpu *g, const char *driver, const char *what);
void ceilings_keep(json_t *o, char *file);

#endif
