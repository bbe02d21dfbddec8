/* The plan of an interview, before it begins. */
#ifndef WD_TUI_PLAN_SCREEN_H
#define WD_TUI_PLAN_SCREEN_H

#include "tui/app/app.h"
#include "tui/interview/host_options.h"

/* The plan, to be edited; Enter makes the session and replaces this screen by the console. */
void plan_screen_open(struct app *app, const struct host_options *options);

#endif
