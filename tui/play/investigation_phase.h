/* The mode that a phase begins with. */
#ifndef WD_TUI_INVESTIGATION_PHASE_H
#define WD_TUI_INVESTIGATION_PHASE_H

#include "tui/play/investigation_state.h"

/* Where a resumed or freshly locked investigation stands. */
void investigation_enter_phase(struct app *app, struct investigation_screen *s);

#endif
