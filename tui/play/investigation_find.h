/* What / searches in an investigation: the pane that the arrows move in. */
#ifndef WD_TUI_INVESTIGATION_FIND_H
#define WD_TUI_INVESTIGATION_FIND_H

#include "tui/app/find.h"

extern const struct find_ops investigation_find;

#endif
