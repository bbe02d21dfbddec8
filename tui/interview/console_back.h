/* What u takes back. */
#ifndef WD_TUI_CONSOLE_BACK_H
#define WD_TUI_CONSOLE_BACK_H

#include "tui/interview/console.h"

/* Takes the last act back, or says why not. `before`: the key before this one, where it waits to be
 * pressed again. 0 or a code. */
int console_take_back(struct console *c, enum action before, struct err *err);

#endif
