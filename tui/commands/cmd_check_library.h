/* warpdrill check --library: packs as one library, what rules of thumb earn on it. */
#ifndef WD_TUI_CMD_CHECK_LIBRARY_H
#define WD_TUI_CMD_CHECK_LIBRARY_H

#include "scenarios/check/library_openings.h"
#include "tui/commands/cmd.h"

/* Prints the report on what was gathered. An exit status. */
int cmd_check_library(const struct cmd *c, const struct openings *o);

#endif
