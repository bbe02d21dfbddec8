/* Options: the interview's date, how much a day, and what that means; backups, made, listed and put
 * back; where the files lie. What is typed counts at once, and u takes it back. */
#ifndef WD_TUI_OPTIONS_SCREEN_H
#define WD_TUI_OPTIONS_SCREEN_H

#include "tui/app/app.h"

extern const struct screen_ops options_screen;

void options_open(struct app *app);

#endif
