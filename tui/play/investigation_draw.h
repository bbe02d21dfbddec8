/* The frame: title, story, symptom, beliefs, the last rows. */
#ifndef WD_TUI_INVESTIGATION_DRAW_H
#define WD_TUI_INVESTIGATION_DRAW_H

#include "tui/play/investigation_screen.h"

void investigation_draw(struct app *app, const void *self);

#endif
