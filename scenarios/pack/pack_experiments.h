/* What may be tried, and what it changes. */
#ifndef WD_SCENARIOS_PACK_EXPERIMENTS_H
#define WD_SCENARIOS_PACK_EXPERIMENTS_H

#include "scenarios/pack/pack_read.h"

/* Index of the parameter that y (a value or a key) names. */
int find_param(struct reader *r, const struct yaml *y, const struct story *s, int *out);
int read_defines(struct reader *r, struct story *s, const struct yaml *y);
/* The story's own, then the standard ones. y NULL: no own ones. */
int read_experiments(struct reader *r, struct story *s, const struct yaml *y);

#endif
