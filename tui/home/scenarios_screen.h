/* Every scenario that is here, and what could not be read. Never the cause. */
#ifndef WD_TUI_SCENARIOS_SCREEN_H
#define WD_TUI_SCENARIOS_SCREEN_H

#include "tui/app/app.h"

extern const struct screen_ops scenarios_screen;

void scenarios_open(struct app *app);

#endif
