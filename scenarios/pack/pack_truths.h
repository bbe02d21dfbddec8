/* The answers to estimates, as the sealed half asks for them. */
#ifndef WD_SCENARIOS_PACK_TRUTHS_H
#define WD_SCENARIOS_PACK_TRUTHS_H

#include "scenarios/pack/pack_read.h"

/* One for each estimate of the variant's story, in its order. y NULL: the file has none, which is
 * told at `root`. */
int read_truths(struct reader *r, struct variant *v, const struct yaml *y, const struct yaml *root);

#endif
