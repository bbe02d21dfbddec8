/* One variant of a pack as a pack of its own, in memory: what an attempt keeps, and what a drawn
 * case is drawn into. */
#ifndef WD_SCENARIOS_VARIANT_COPY_H
#define WD_SCENARIOS_VARIANT_COPY_H

#include "scenarios/pack/pack.h"

/* {path: text} of a pack with this variant of its story alone, without recorded evidence; of a
 * sealed pack that was opened. The caller owns it. */
json_t *variant_files(const struct variant *v);
/* That pack, drawn by a seed; *variant belongs to it. */
int variant_draw(struct pack **pack, const struct variant **variant, const struct variant *of,
                 uint64_t seed, struct err *err);

#endif
