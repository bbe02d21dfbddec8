/* Help in steps, from the mechanism to the lines. Only for a variant whose debrief was shown. */
#ifndef WD_SCENARIOS_MEND_HINT_H
#define WD_SCENARIOS_MEND_HINT_H

#include "scenarios/pack/story.h"

enum { MEND_HINTS = 4 };
/* Step 1 to MEND_HINTS: the cause, the line, the remedy, the lines that the fix changes. malloc'd;
 * NULL: there is no such step. */
char *mend_hint(const struct variant *v, int step);

#endif
