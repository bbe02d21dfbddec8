/* Estimates, while buy.asking: what is taken of what was typed. */
#ifndef WD_TUI_INVESTIGATION_ESTIMATE_H
#define WD_TUI_INVESTIGATION_ESTIMATE_H

#include "tui/play/investigation_state.h"

/* A key. What cannot be read as the quantity that was asked for is not taken: the text stays, and
 * why is said. What is taken is said as it was understood. */
int estimate_typed(struct app *app, struct investigation_screen *s, int key);

#endif
