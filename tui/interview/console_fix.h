/* Asking for the fix of a scenario whose truth was shown, and judging what comes. */
#ifndef WD_TUI_CONSOLE_FIX_H
#define WD_TUI_CONSOLE_FIX_H

#include "tui/interview/console.h"

/* M: asks for it, or ends that; both are asked once more. */
int console_fix(struct console *c, enum action before, struct err *err);
/* What was handed in is judged, and its verdict written. */
int console_fix_follow(struct console *c, struct err *err);

#endif
