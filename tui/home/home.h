/* Home: what to do next, where you stand, what was lately. Enter always does the right next thing. */
#ifndef WD_TUI_HOME_H
#define WD_TUI_HOME_H

#include "tui/app/app.h"

extern const struct screen_ops home_screen;

/* The screen that the program begins with. */
void home_open(struct app *app);

#endif
