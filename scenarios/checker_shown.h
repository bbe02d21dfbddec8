/* Estimates whose truth was shown before they are asked. */
#ifndef WD_SCENARIOS_CHECKER_SHOWN_H
#define WD_SCENARIOS_CHECKER_SHOWN_H

#include "scenarios/checker.h"
#include "scenarios/checker_bought.h"

void check_shown(struct findings *f, const struct bought *b);

#endif
