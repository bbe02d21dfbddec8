/* Where a launch, or what stands in its place, is among the others of its run. */
#ifndef WD_SCENARIOS_PACK_PLACE_H
#define WD_SCENARIOS_PACK_PLACE_H

#include "scenarios/pack/pack_read.h"

/* The keys that say it; NULL: absent. */
struct place {
    const struct yaml *label, *stream, *after, *rank, *bytes, *flops;
};

/* Into all[at], of a pipeline; those before it are known. `item` is the whole of it. */
int read_place(struct reader *r, const struct yaml *item, const struct place *k,
               const struct story *s, struct launch *all, int at);
/* A rank of a story on several GPUs: from 1, 0 where y is NULL. */
int read_rank(struct reader *r, const struct yaml *y, const struct story *s, int *only);
/* Index of the buffer that y names. */
int read_buffer_name(struct reader *r, const struct yaml *y, const struct story *s, int *out);

#endif
