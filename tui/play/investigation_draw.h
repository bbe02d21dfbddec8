/* The whole screen: a frame, and in it what stands in files of its own. */
#ifndef WD_TUI_INVESTIGATION_DRAW_H
#define WD_TUI_INVESTIGATION_DRAW_H

#include "tui/play/investigation_state.h"

void investigation_draw(struct app *app, const void *self);

/* Of the mode that writes notes. */
void investigation_draw_editor(const struct investigation_screen *s, const struct layout *l);

#endif
