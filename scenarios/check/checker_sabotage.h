/* The comparison itself, on results of the fix that were spoilt on purpose. */
#ifndef WD_SCENARIOS_CHECKER_SABOTAGE_H
#define WD_SCENARIOS_CHECKER_SABOTAGE_H

#include "scenarios/check/live.h"

/* Findings of the rules live-*; fails only where the runner does not come back. */
int live_check_sabotage(const struct live *l, struct err *err);

#endif
