/* What an interviewer reads before a scenario. */
#ifndef WD_TUI_BRIEF_SCREEN_H
#define WD_TUI_BRIEF_SCREEN_H

#include "scenarios/interview/session_plan.h"
#include "tui/app/app.h"

/* One page before a scenario. Part and variant are borrowed. */
void brief_open(struct app *app, const struct session_part *part, const struct variant *variant);

#endif
