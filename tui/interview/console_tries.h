/* The newest text that was handed in, with its verdict, whole: a page for replay. */
#ifndef WD_TUI_CONSOLE_TRIES_H
#define WD_TUI_CONSOLE_TRIES_H

#include "scenarios/interview/session.h"
#include "tui/kit/draw.h"

/* Into r; `scroll` lines of the text are left out at its top. */
void console_tries_draw(const struct session *s, struct rect r, int scroll);

#endif
