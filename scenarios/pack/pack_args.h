/* Arguments of a launch. */
#ifndef WD_SCENARIOS_PACK_ARGS_H
#define WD_SCENARIOS_PACK_ARGS_H

#include "scenarios/pack/pack_read.h"

/* Those of a launch, from its list. 0, or an error code with the place. */
int read_args(struct reader *r, const struct yaml *y, const struct story *s, struct launch *l);

#endif
