/* Findings for a continuous integration that reads SARIF 2.1.0. */
#ifndef WD_SCENARIOS_FINDINGS_SARIF_H
#define WD_SCENARIOS_FINDINGS_SARIF_H

#include "scenarios/check/findings.h"

/* A log with all rules and no results; the caller's. */
json_t *sarif_begin(void);
/* Adds the findings of one pack, whose folder stands before the names of files. */
void sarif_add(json_t *sarif, const struct findings *f, const char *folder);

#endif
