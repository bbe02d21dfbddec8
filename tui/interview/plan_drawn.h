/* The scenarios of a plan as its seed draws them. */
#ifndef WD_TUI_PLAN_DRAWN_H
#define WD_TUI_PLAN_DRAWN_H

#include "scenarios/interview/session_plan.h"
#include "tui/app/app.h"

/* Of an attempt at a part: the same for its candidate, its brief, and whoever resumes. */
uint64_t plan_seed(const struct session_plan *plan, int part);
/* The variant of a part that is a scenario. ERR_MISSING, ERR_BAD_REQUEST: the catalogue has none. */
int plan_drawn(const struct variant **out, struct app *app, const struct session_plan *plan,
               int part, struct err *err);

#endif
