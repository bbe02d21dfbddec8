/* Readings that recordings bear out, as YAML to be pasted into answer.yaml. */
#ifndef WD_SCENARIOS_SUGGEST_H
#define WD_SCENARIOS_SUGGEST_H

#include "scenarios/pack/pack.h"

/* For each metric of a probe whose values for this suspect lie apart from those of the fix and of
 * other variants' suspects, on all GPUs that they were recorded on: a threshold between, with both
 * ranges and the factor from either told in a comment. So for shares of a step and of the median
 * sample, and for the last of an experiment's series beside its first, of which no fix is recorded.
 * What the ranges of others overlap is left out. malloc'd; ERR_MISSING where the variant has no
 * recording that goes with its code. */
int suggest_readings(char **out, const struct variant *v, struct err *err);

#endif
