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

/* The recordings of one story: each variant's are read and opened once, when a rule first asks for
 * them, however many do. The story must outlive it. */
struct shelf *shelf_new(const struct story *s);
void shelf_free(struct shelf *s);

/* Calls fn for each recording of the variant that is fresh; returns how many. shelf NULL: they are
 * opened for this call alone; else the variant is of its story. */
int bought_each(struct shelf *shelf, const struct variant *v,
                void (*fn)(void *ctx, const struct bought *b), void *ctx);

/* The one recording of the variant on this GPU, where it is fresh; NULL: it is not, there are several,
 * or there is no shelf. */
const struct bought *shelf_find(struct shelf *shelf, const struct variant *v, const char *slug);

/* For sizes where no GPU has been recorded; nothing of it is to be freed. */
struct msg_device checker_large_gpu(void);

#endif
