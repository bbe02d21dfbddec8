/* A suspect that does not come to an end: its launch is refused, it faults, or it never ends. What
 * is different of it. The answer says which, so of a sealed variant nothing of this is known. */
#ifndef WD_SCENARIOS_FAILING_H
#define WD_SCENARIOS_FAILING_H

#include "scenarios/pack/story.h"

/* After this a run counts as one that never ends, ms. */
#define FAILING_LIMIT_MS 5000

bool variant_fails(const struct variant *v);
/* The metric that is 1 of it: "refused", "faulted" or "unfinished". It fails. */
const char *variant_failure(const struct variant *v);
/* Has this probe, or experiment of the story, an answer although the suspect may fail? Timing has,
 * which tells how it fails, and what takes no run; of a refused launch other caps on registers too,
 * of a fault what looks for faults. */
bool variant_answers(const struct variant *v, const char *probe);
/* What each step of an experiment measures of this suspect: where others are timed, whether one
 * that fails comes to an end. */
enum wire_probe variant_measures(const struct variant *v, const struct experiment *x);

#endif
