/* Where you stand, in four pages: topics of drills and cards, causes of scenarios, what was said
 * against what was right, a year; and on the first what to do next and why. */
#ifndef WD_TUI_STAND_SCREEN_H
#define WD_TUI_STAND_SCREEN_H

#include "tui/app/app.h"

extern const struct screen_ops stand_screen;

void stand_open(struct app *app);

#endif
