/* A drill of an interview with its numbers, for the candidate's screen and the interviewer's. */
#ifndef WD_TUI_LIVE_DRILL_H
#define WD_TUI_LIVE_DRILL_H

#include "drills/instance.h"
#include "scenarios/interview/session.h"
#include "tui/app/app.h"

struct recording;
struct live_numbers { struct drill_instance *instance; struct recording *recording; /* tells the truth of a measured drill; NULL: the formula does */ };

/* The same numbers for everybody who makes it. ERR_MISSING: there is no such drill, or a value is not known here. */
int live_numbers_make(struct live_numbers *out, struct app *app, const struct session_drill *drill, struct err *err);
/* Puts what was measured in the answer's place, once. 0 or a code. */
int live_numbers_reveal(struct live_numbers *n, struct err *err);
void live_numbers_free(struct live_numbers *n);

#endif
