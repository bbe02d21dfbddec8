/* Keys while the shop is open, and what other keys share with them. */
#ifndef WD_TUI_INVESTIGATION_ACT_H
#define WD_TUI_INVESTIGATION_ACT_H

#include "tui/play/investigation_screen.h"

int investigation_act(struct app *app, void *self, enum action action, int arg);
int investigation_act_open(struct app *app, struct investigation_screen *s, enum action action,
                           int arg);
int investigation_act_list(struct app *app, struct investigation_screen *s, enum action action,
                           int arg);
int investigation_note_typed(struct app *app, struct investigation_screen *s, int key);
int investigation_typed(struct app *app, void *self, int key);
bool investigation_press(struct app *app, struct investigation_screen *s, enum action action,
                         int arg); /* belief keys and digits */
bool investigation_look(struct app *app, struct investigation_screen *s,
                        enum action action); /* Tab, arrows, e; false: none of them */
int investigation_keep(struct app *app, struct investigation_screen *s, enum move_kind kind,
                       const char *text); /* as noted or named */
void investigation_keep_writing(
    struct app *app, struct investigation_screen *s); /* what is written in UI_NOTE and UI_NAMING */
int investigation_home(struct app *app,
                       struct investigation_screen *s); /* DO_POP when asked twice */
void investigation_shift(struct investigation_screen *s, enum action action);   /* code sideways */
int source_lines(const struct investigation_screen *s);

#endif
