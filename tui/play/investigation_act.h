/* Keys while the shop is open. */
#ifndef WD_TUI_INVESTIGATION_ACT_H
#define WD_TUI_INVESTIGATION_ACT_H

#include "tui/play/investigation_state.h"

int investigation_act(struct app *app, void *self, enum action action, int arg);
int investigation_act_open(struct app *app, struct investigation_screen *s, enum action action,
                           int arg);
int investigation_act_list(struct app *app, struct investigation_screen *s, enum action action,
                           int arg);
int investigation_note_typed(struct app *app, struct investigation_screen *s, int key);
int investigation_typed(struct app *app, void *self, int key);

#endif
