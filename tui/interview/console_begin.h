/* Beginning a part. */
#ifndef WD_TUI_CONSOLE_BEGIN_H
#define WD_TUI_CONSOLE_BEGIN_H

#include "tui/interview/console.h"

/* Begins a part; after a restart the pack of its scenario may be shut again, and its passphrase is
 * asked for first. 0 or a code. */
int console_begin(struct console *c, int part, struct err *err);
/* May this part begin now? Where it is done already, the one that runs is not finished, or the
 * candidate is not there, that is said first, and `before` tells whether Enter was pressed again
 * after it. */
bool console_may_begin(struct console *c, int part, enum action before);
/* May the part that runs end now? Asked in the same way where it is not finished. */
bool console_may_end(struct console *c, enum action before);

#endif
