/* Stakes, line, remedy, pushback. */
#ifndef WD_TUI_INVESTIGATION_COMMIT_H
#define WD_TUI_INVESTIGATION_COMMIT_H

#include "tui/play/investigation_screen.h"

int commit_act(struct app *app, struct investigation_screen *s, enum action action, int arg);
void stakes_draw(const struct investigation_screen *s, struct rect r);
void commit_draw(const struct investigation_screen *s, const struct layout *l);
const char *commit_todo(const struct investigation_screen *s, bool brief);

#endif
