/* What a host says, hands out and grades, and what the candidate answers. Verbs, as in
 * interview_verbs.h. */
#ifndef WD_SCENARIOS_INTERVIEW_SAYS_H
#define WD_SCENARIOS_INTERVIEW_SAYS_H

#include "scenarios/interview/interview.h"

int interview_quiet(struct interview *l, int seconds, struct err *err);
int interview_withhold(struct interview *l, const char *probe, bool back, struct err *err);
int interview_hint(struct interview *l, int hint, const char *text, struct err *err);
int interview_said(struct interview *l, int line, const char *text, struct err *err);
int interview_inject(struct interview *l, const char *text, struct err *err);
/* `title` NULL: not known. */
int interview_drill(struct interview *l, const char *drill, const char *title, uint64_t seed,
                    struct err *err);
/* Of the candidate: the open drill's answer, with what it was worth. */
int interview_answer(struct interview *l, const char *answer, int seconds, const char *how,
                     double points, const char *say, struct err *err);
int interview_rate(struct interview *l, const char *signal, int grade, struct err *err);
int interview_note(struct interview *l, const char *text, bool share, struct err *err);
int interview_spoke(struct interview *l, const char *text, struct err *err);

#endif
