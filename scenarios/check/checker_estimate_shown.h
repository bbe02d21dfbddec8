/* Estimates whose truth was shown before they are asked. */
#ifndef WD_SCENARIOS_CHECKER_ESTIMATE_SHOWN_H
#define WD_SCENARIOS_CHECKER_ESTIMATE_SHOWN_H

#include "scenarios/check/findings.h"
#include "scenarios/check/checker_bought.h"

void check_estimate_shown(struct findings *f, const struct bought *b);
/* Once for each story: truths that are computed, not measured, and yet stand in the result of
 * another probe. */
void check_twins(struct findings *f, const struct story *s);

#endif
