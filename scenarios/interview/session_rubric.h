/* The keys of a rubric's file (content/FORMAT-RUBRICS.md describes them); the functions stand in
 * session_plan.h. */
#ifndef WD_SCENARIOS_SESSION_RUBRIC_H
#define WD_SCENARIOS_SESSION_RUBRIC_H

#include "scenarios/interview/session_plan.h"
#include "scenarios/text/yaml.h"

extern const struct yaml_shape rubric_shape, rubric_signal_shape;

#endif
