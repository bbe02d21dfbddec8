/* What a timed kernel could tell by that it is timed: variables that outlive a launch, in which it
 * could count its launches, and clocks. A person's text has neither; packs may. */
#ifndef WD_SCENARIOS_MEND_STATE_H
#define WD_SCENARIOS_MEND_STATE_H

#include "kernels/wire/err.h"

/* ERR_PERMISSION, "NAME:LINE: what; what to write", for a text that token_scan takes. Words are
 * read, so macros for `__device__` are followed. */
int mend_state_check(const char *name, const char *text, struct err *err);

#endif
