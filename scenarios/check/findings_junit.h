/* Findings for a continuous integration that reads JUnit's XML. */
#ifndef WD_SCENARIOS_FINDINGS_JUNIT_H
#define WD_SCENARIOS_FINDINGS_JUNIT_H

#include <stdio.h>

#include "scenarios/check/findings.h"

/* What stands before all packs, and behind them. */
void junit_begin(FILE *out);
void junit_end(FILE *out);
/* A suite for one pack, called `name`, whose folder stands before the names of files. Each finding is
 * a case that failed, with `strict` also a warning, which is skipped otherwise; a pack without any
 * has one case that passed. */
void junit_add(FILE *out, const struct findings *f, const char *name, const char *folder,
               bool strict);

#endif
