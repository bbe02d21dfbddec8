/* A draft of a step of several launches, made of a CUDA file that has them: kernels in the order of
 * its host code, buffers by the host's names, and what the host does between. */
#ifndef WD_SCENARIOS_SCAFFOLD_PIPELINE_H
#define WD_SCENARIOS_SCAFFOLD_PIPELINE_H

#include "scenarios/new/scaffold.h"

/* scaffold_make of a step: of s count where it goes, source, cause (one of cause_of_step; NULL: one
 * is guessed, and noted), title (NULL: made of the id) and level. Fails where the file has fewer
 * than two launches. */
int scaffold_pipeline(struct files **out, const char ***made, int *n, struct scaffold *s,
                      struct err *err);

#endif
