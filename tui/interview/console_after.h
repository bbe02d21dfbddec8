/* What follows every act on the console. */
#ifndef WD_TUI_CONSOLE_AFTER_H
#define WD_TUI_CONSOLE_AFTER_H

#include "tui/interview/console.h"

/* After anything: looks again, makes the candidate's screens follow, sends pictures. `rc` of a
 * verb: its sentence is said. Returns rc. */
int console_after(struct console *c, int rc, struct err *err);
/* Frees what console_after learned of the scenario that runs. */
void console_forget(struct console *c);

#endif
