/* Collectives and peer copies among a pipeline's launches. */
#ifndef WD_SCENARIOS_PACK_TRANSFERS_H
#define WD_SCENARIOS_PACK_TRANSFERS_H

#include "scenarios/pack/pack_read.h"

/* Is this item of `launches` one of them? */
bool is_transfer(const struct yaml *y);
/* Into all[at], in the place of a launch. */
int read_transfer(struct reader *r, const struct yaml *y, const struct story *s, struct launch *all,
                  int at);

#endif
