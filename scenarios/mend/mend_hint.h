/* Help in steps, from the mechanism to the lines; of a task one for each of its walls. Only for a
 * task, or a variant whose debrief was shown. */
#ifndef WD_SCENARIOS_MEND_HINT_H
#define WD_SCENARIOS_MEND_HINT_H

#include "scenarios/pack/story.h"

int mend_hints(const struct variant *v); /* how many there may be */
/* Step 1 to mend_hints: the cause, the line, the remedy, the lines that the fix changes. malloc'd;
 * NULL: there is no such step. */
char *mend_hint(const struct variant *v, int step);

#endif
