/* The console as a screen. */
#ifndef WD_TUI_CONSOLE_SCREEN_H
#define WD_TUI_CONSOLE_SCREEN_H

#include "scenarios/interview/interview.h"
#include "scenarios/interview/session_code.h"
#include "tui/app/app.h"
#include "tui/interview/host_options.h"

/* The console over an open session, in the place of the screen on top; takes the session over.
 * `codes` NULL: resumed. */
void console_open(struct app *app, struct interview *live, const struct session_codes *codes,
                  const struct host_options *options);

#endif
