/* The candidate's terminal on this machine, to be shared. */
#ifndef WD_TUI_CONSOLE_SHARE_H
#define WD_TUI_CONSOLE_SHARE_H

#include "tui/interview/console.h"

/* Makes the candidate's terminal, or says what to type. */
void link_share(struct console *c);
void link_share_end(const struct console *c); /* takes away one in which nobody sits */

#endif
