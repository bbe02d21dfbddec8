/* The folders of a story. */
#ifndef WD_SCENARIOS_PACK_VARIANTS_H
#define WD_SCENARIOS_PACK_VARIANTS_H

#include "scenarios/pack/pack_read.h"

/* At least one, in the order of their ids; without what stands in them. `list`: the folders that a
 * case names, else NULL. `at`: the entry in pack.yaml. */
int find_variants(struct reader *r, struct story *s, const struct yaml *list,
                  const struct yaml *at);

#endif
