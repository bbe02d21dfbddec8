/* What a host does with parts, people and time.
 *
 * Every verb of an interview writes its event and returns only after the commit; what the store
 * refuses (a full disk) changes nothing and returns a code with a sentence. Texts are cleaned of
 * control characters. */
#ifndef WD_SCENARIOS_INTERVIEW_VERBS_H
#define WD_SCENARIOS_INTERVIEW_VERBS_H

#include "scenarios/interview/interview.h"

int interview_plan(struct interview *l, const struct session_plan *plan,
                   struct err *err); /* before the first part */
/* After what the host before had kept of the time (interview_keep_time). guest: the candidate is
 * that Unix user; NULL: the host's own. */
int interview_opened(struct interview *l, const char *wall, const char *guest, struct err *err);
int interview_joined(struct interview *l, const struct session_party *party, struct err *err);
int interview_left(struct interview *l, const char *party, const char *say, struct err *err);
int interview_begin(struct interview *l, int part, struct err *err); /* ends the one that runs */
int interview_finish(struct interview *l, struct err *err);
int interview_pause(struct interview *l, bool on, struct err *err);
int interview_tick(struct interview *l, struct err *err); /* every ten seconds while running */
/* The whole length of a part that is not done. */
int interview_minutes(struct interview *l, int part, int minutes, struct err *err);
/* Of the scenario of a part that was begun. */
int interview_revealed(struct interview *l, int part, struct err *err);
int interview_release(struct interview *l, struct err *err);
int interview_take_back(struct interview *l, struct err *err);
int interview_close(struct interview *l, struct err *err);

#endif
