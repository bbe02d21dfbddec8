/* What tells without a telling word: how variants differ, where the truth stands on offer, code of
 * the fix shown in public. Part of check_words. */
#ifndef WD_SCENARIOS_CHECKER_GIVEAWAYS_H
#define WD_SCENARIOS_CHECKER_GIVEAWAYS_H

#include "scenarios/check/findings.h"

void check_giveaways(struct findings *f, const struct story *s);

#endif
