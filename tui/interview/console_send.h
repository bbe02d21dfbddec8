/* Lines of SAY NEXT and drills, on their way to the candidate's screen. */
#ifndef WD_TUI_CONSOLE_SEND_H
#define WD_TUI_CONSOLE_SEND_H

#include "tui/interview/console.h"

/* The line of that number: where it reaches nobody it is marked as said; one that goes to the
 * candidate's screen waits for Enter, unless `sent` says that this was Enter. Unless `whole` only
 * one that stands on the console now. */
void console_say_line(struct console *c, int number, bool whole, bool sent);
/* Puts a drill on the candidate's screen. 0 or a code. */
int console_ask_drill(struct console *c, const char *id, struct err *err);

#endif
