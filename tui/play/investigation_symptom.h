/* The story, and below it what is slow: the time and what users see of it, or a case's figures. */
#ifndef WD_TUI_INVESTIGATION_SYMPTOM_H
#define WD_TUI_INVESTIGATION_SYMPTOM_H

#include "tui/play/investigation_state.h"

/* What stands in a row between story and symptom: a case's system, or the bytes to move once the
 * yardstick may be shown ("537 MB to move.", which over the time is as good as one). */
void facts_draw(const struct investigation_screen *s, int y, int x, int w);
void story_draw(const struct investigation_screen *s, struct rect r, bool wide);
void symptom_draw(const struct investigation_screen *s, const struct layout *l);

#endif
