/* What a host, or the candidate through it, can do in an interview. Every verb writes its event and
 * returns only after the commit; what the store refuses (a full disk) changes nothing and returns a
 * code with a sentence. Texts are cleaned of control characters. */
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
int interview_quiet(struct interview *l, int seconds, struct err *err);
int interview_withhold(struct interview *l, const char *probe, bool back, struct err *err);
int interview_hint(struct interview *l, int hint, const char *text, struct err *err);
int interview_said(struct interview *l, int line, const char *text, struct err *err);
int interview_inject(struct interview *l, const char *text, struct err *err);
/* One of the pushbacks of the running scenario, after the commitment: into the attempt. While the
 * candidate still chooses line and fix, or is asked a number, it waits (a later one takes its
 * place), so that it destroys nothing that is being typed: interview_deliver. That it waits is an
 * event, so that the next host delivers it after a kill. */
int interview_push(struct interview *l, int pushback, struct err *err);
int interview_waiting(const struct interview *l); /* the pushback that waits; -1: none does */
void interview_deliver(struct interview *l); /* once nothing is in its way; after every key */
/* Drops the pushback that waits; ERR_BAD_REQUEST: none does. */
int interview_push_drop(struct interview *l, struct err *err);
/* `title` NULL: not known. */
int interview_drill(struct interview *l, const char *drill, const char *title, uint64_t seed,
                    struct err *err);
int interview_rate(struct interview *l, const char *signal, int grade, struct err *err);
int interview_note(struct interview *l, const char *text, bool share, struct err *err);
int interview_spoke(struct interview *l, const char *text, struct err *err);
/* Of the scenario of a part that was begun. */
int interview_revealed(struct interview *l, int part, struct err *err);
int interview_release(struct interview *l, struct err *err);
int interview_take_back(struct interview *l, struct err *err);
int interview_close(struct interview *l, struct err *err);
/* The fix of a part whose truth was shown is asked for; `over`: no longer. */
int interview_mending(struct interview *l, int part, bool over, struct err *err);
/* Of the candidate: a text in the suspect's place, for the part whose fix is asked for. Refused are
 * what is out of turn, beyond SESSION_TRY bytes, and what no source may hold, at its line. */
int interview_tried(struct interview *l, const char *text, struct err *err);
/* Of the candidate: the next step of help with that fix, from 1, was asked for. */
int interview_helped(struct interview *l, int step, struct err *err);
/* What came of the text that waits for it. */
int interview_judged(struct interview *l, const struct mend_verdict *verdict, struct err *err);
/* Of the candidate: the open drill's answer, with what it was worth. */
int interview_answer(struct interview *l, const char *answer, int seconds, const char *how,
                     double points, const char *say, struct err *err);

#endif
