/* The findings of `warpdrill check` for a person: what is one thing is said once. */
#ifndef WD_TUI_CMD_CHECK_SAY_H
#define WD_TUI_CMD_CHECK_SAY_H

#include "scenarios/check/findings.h"

/* Lines on stderr of findings that were sorted, their files below `folder`. A sentence that differs
 * from GPU to GPU in its figures alone is said once, with the GPUs it is true of. Marks of a draft
 * are counted, a line a file. */
void check_say_findings(const struct findings *f, const char *folder);

#endif
