/* The help screen: the action table's rows that apply where the person is, and how this works. */
#ifndef WD_TUI_HELP_H
#define WD_TUI_HELP_H

#include "tui/app/app.h"

extern const struct screen_ops help_screen;

void help_open(struct app *app, unsigned context);

#endif
