/* The shared hypotheses: 36 causes and one null, in nine groups, in the order every screen uses. */
#ifndef WD_SCENARIOS_TAXONOMY_H
#define WD_SCENARIOS_TAXONOMY_H

#include <stddef.h>

struct hypothesis {
    const char *id;      /* "mem.uncoalesced" */
    const char *label;   /* "uncoalesced access": at most 24 columns */
    const char *brief;   /* at most 18 columns, for 80 x 24 */
    const char *group; /* "memory", "shared memory", "latency", "occupancy and shape",
                          "instructions", "host and pipeline", "correctness", "measurement",
                          "system", "nothing was wrong" */
    const char *explain; /* one or two sentences: mechanism and what settles it */
};
const struct hypothesis *taxonomy_find(const char *id); /* NULL if unknown */
const struct hypothesis *taxonomy(size_t *n);
int taxonomy_rank(const struct hypothesis *h);          /* place in the table */

#endif
