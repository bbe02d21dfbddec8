/* One variant on one recording with everything bought: what rules about evidence look at. */
#ifndef WD_SCENARIOS_CHECKER_BOUGHT_H
#define WD_SCENARIOS_CHECKER_BOUGHT_H

#include "scenarios/evidence/other_gpu.h"

enum { MOST_BOUGHT = 64 };

struct bought {
    const struct variant *v;
    const struct recording *r;
    struct evidence *all,
        *list[MOST_BOUGHT]; /* list: each probe and experiment as somebody buys it */
    struct other_gpu *other; /* of the estimates across GPUs, or NULL */
    struct scope scope;
    bool *holds;                              /* reading i holds once everything was bought */
};

/* ERR_MISSING with the reason when the recording is not fresh (`whole`), or has nothing of the fix;
 * then there is nothing to close. Variant and recording must outlive it. */
int bought_open(struct bought *out, const struct variant *v, const struct recording *r, bool whole,
                struct err *err);
void bought_close(struct bought *b);

/* Calls fn for each recording of the variant that is fresh; returns how many. */
int bought_each(const struct variant *v, void (*fn)(void *ctx, const struct bought *b), void *ctx);

/* For sizes where no GPU has been recorded; nothing of it is to be freed. */
struct msg_device checker_large_gpu(void);

#endif
