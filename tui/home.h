/* Home: what to do next, where you stand, what was lately. Enter always does the right next thing. */
#ifndef WD_TUI_HOME_H
#define WD_TUI_HOME_H

#include "tui/app.h"

extern const struct screen_ops home_screen;

#endif
