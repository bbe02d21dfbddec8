/* The story, and below it what is slow: the time and what users see of it, or a case's figures. */
#ifndef WD_TUI_INVESTIGATION_SYMPTOM_H
#define WD_TUI_INVESTIGATION_SYMPTOM_H

#include "tui/play/investigation_state.h"

void story_draw(const struct investigation_screen *s, struct rect r, bool wide);
void symptom_draw(const struct investigation_screen *s, const struct layout *l);

#endif
