/* Whether this is the first look at a variant; which one is next, attempt.h says. */
#ifndef WD_SCENARIOS_ATTEMPT_PICK_H
#define WD_SCENARIOS_ATTEMPT_PICK_H

#include "scenarios/play/attempt.h"

/* The reveal of a sibling hands over the fix, its time and one cause fewer to think of, so that
 * what follows of that story is practice. One that was begun and never revealed gave nothing away.
 * store NULL: it is. */
bool attempt_is_first_look(struct store *store, const struct variant *v);

#endif
