/* Between the two halves of a request: which items it has, and what these are run on. */
#ifndef WD_SCENARIOS_REQUEST_INSIDE_H
#define WD_SCENARIOS_REQUEST_INSIDE_H

#include "scenarios/evidence/request.h"

/* The runs, in the order in which they are sent; bit k of a set of sides is the k-th of them. */
extern const char run_letters[];
enum side_bit { SIDE_A = 1 };
/* The bit of a run that is named by its letter. */
unsigned plan_side(const char *run);

struct plan {
    struct msg_item *items;
    int n;
    unsigned sides;
    const struct experiment *experiments[CAP_VARIANTS]; /* of each variant, and which step it is */
    int step[CAP_VARIANTS], n_variants;
    double shared_sm; /* bytes of shared memory of an SM; 0 if unknown */
    bool too_many;
};

/* Adds what the probe asks for (names as in request_build). The caller frees p->items.
 * ERR_MISSING: no such probe; ERR_BAD_REQUEST: none that a runner answers; ERR_TOO_LARGE. */
int plan_probe(struct plan *p, const struct variant *v, const char *probe, struct err *err);

/* What is being built: the scenario, the GPU and the parameters of one shape. */
struct making {
    const struct variant *v;
    const struct msg_device *device;
    int64_t *values;
    struct err *err;
};

/* ---- request_launch.c; all return 0 or an error code with the place ---- */

int make_whole(struct making *k, const struct expr *e, int64_t low, int64_t high,
               const char *what, int64_t *out);
/* Of a shape whose buffers are made. */
int make_launch(struct making *k, struct msg_launch *out, const struct msg_shape *s,
                const struct launch *from, const char *source);

#endif
