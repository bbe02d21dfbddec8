/* The fix of a diagnosed part: asked for, handed in, judged. Verbs, as in interview_verbs.h. */
#ifndef WD_SCENARIOS_INTERVIEW_FIX_H
#define WD_SCENARIOS_INTERVIEW_FIX_H

#include "scenarios/interview/interview.h"

/* The fix of a part whose truth was shown is asked for; `over`: no longer. */
int interview_mending(struct interview *l, int part, bool over, struct err *err);
/* Of the candidate: a text in the suspect's place, for the part whose fix is asked for. Refused are
 * what is out of turn, beyond SESSION_TRY bytes, and what no source may hold, at its line. */
int interview_tried(struct interview *l, const char *text, struct err *err);
/* Of the candidate: the next step of help with that fix, from 1, was asked for. */
int interview_helped(struct interview *l, int step, struct err *err);
/* What came of the text that waits for it. */
int interview_judged(struct interview *l, const struct mend_verdict *verdict, struct err *err);

#endif
