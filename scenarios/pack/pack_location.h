/* Where the fault is. */
#ifndef WD_SCENARIOS_PACK_LOCATION_H
#define WD_SCENARIOS_PACK_LOCATION_H

#include "scenarios/pack/pack_read.h"

/* y NULL: there is none, which a healthy pair alone may have. `root`: the whole answer. */
int read_location(struct reader *r, struct variant *v, const struct yaml *y,
                  const struct yaml *root, int format);

#endif
