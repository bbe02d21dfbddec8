/* Fix and best in every check of correctness, at the story's own size and at others. */
#ifndef WD_SCENARIOS_CHECKER_SIZES_H
#define WD_SCENARIOS_CHECKER_SIZES_H

#include "scenarios/check/live.h"

/* Findings of the rules live-*; fails only where the runner does not come back. */
int live_check_sizes(const struct live *l, struct err *err);

#endif
