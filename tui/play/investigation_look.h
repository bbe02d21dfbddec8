/* Keys that look and believe, alike in several modes. */
#ifndef WD_TUI_INVESTIGATION_LOOK_H
#define WD_TUI_INVESTIGATION_LOOK_H

#include "tui/play/investigation_state.h"

bool investigation_press(struct app *app, struct investigation_screen *s, enum action action,
                         int arg); /* belief keys and digits */
bool investigation_look(struct app *app, struct investigation_screen *s,
                        enum action action); /* Tab, arrows, e; false: none of them */
int investigation_home(struct app *app,
                       struct investigation_screen *s); /* DO_POP when asked twice */
void investigation_shift(struct investigation_screen *s, enum action action);   /* code sideways */

#endif
