/* Steps of the host among a pipeline's launches. */
#ifndef WD_SCENARIOS_PACK_STEPS_H
#define WD_SCENARIOS_PACK_STEPS_H

#include "scenarios/pack/pack_read.h"

/* Is this item of `launches` a step of the host? */
bool is_host_step(const struct yaml *y);
int read_host_step(struct reader *r, const struct yaml *y, const struct story *s,
                   struct host_item *out);
/* Their order; h has an item for each of the list. */
int check_host_steps(struct reader *r, const struct yaml *list, const struct host_list *h);

#endif
