/* Interviews on the screen: the interviewer's console, the candidate's screens, and replay.
 *
 * In: an interview that is kept (scenarios/interview), the options of `warpdrill host`, and what
 * parties send. Out: the interviewer's screens, and the candidate's pictures. Callers: tui/commands
 * (interface.c, host, join, replay). First to open: host.c, where an interview begins: with the
 * plan (plan_screen.c), the console (console.h lists its files) or a replay (replay_screen.c).
 * candidate.c is what the candidate sees, join.c their end. */
#ifndef WD_TUI_HOST_H
#define WD_TUI_HOST_H

#include "tui/app/app.h"
#include "tui/interview/host_options.h"

/* Opens the plan, resuming the console, or a replay; where an interview cannot be opened, home,
 * which says why. */
void host_open(struct app *app, const struct host_options *options);

#endif
