/* Home: what to do next, where you stand, what was lately. Enter always does the right next thing.
 *
 * In: the app, with catalogue and store. Out: the screen that a person begins with, and those it
 * leads to. Callers: tui/commands (interface.c). First to open: home.c, then home_data.c, which
 * reads what it shows (its list is ordered by next_day of drills); scenarios_screen.c,
 * stand_screen.c, options_screen.c and gpu_screen.c are a screen each. */
#ifndef WD_TUI_HOME_H
#define WD_TUI_HOME_H

#include "tui/app/app.h"

extern const struct screen_ops home_screen;

/* The screen that the program begins with. */
void home_open(struct app *app);

/* Plays a story, or its variant (NULL: drawn). What was begun of it goes on, the newest; not where
 * a seed was given, which asks for a play of its own. */
void home_play(struct app *app, const struct story *story, const struct variant *variant);

#endif
