/* Keys of the console. */
#ifndef WD_TUI_CONSOLE_ACT_H
#define WD_TUI_CONSOLE_ACT_H

#include "tui/interview/console.h"

int console_act(struct app *app, void *self, enum action action, int arg);
int console_typed(struct app *app, void *self, int key);
/* Opens the first row of the rubric without a grade. */
void console_grade_next(struct console *c);

#endif
