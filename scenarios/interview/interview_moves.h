/* Moves of the interviewer in the attempt of the running scenario. */
#ifndef WD_SCENARIOS_INTERVIEW_MOVES_H
#define WD_SCENARIOS_INTERVIEW_MOVES_H

#include "scenarios/interview/interview.h"

/* Takes over a started attempt for the running part. */
int interview_attempt_begin(struct interview *l, struct attempt *a, struct err *err);
/* Evidence for nothing: the move goes into the attempt, then the event. `e` is taken over in any
 * case. */
int interview_hand(struct interview *l, const char *probe, struct evidence *e, struct err *err);
/* Who presses from here on: the candidate, or the interviewer for them. Moves, answers of drills
 * and what is written keep it. */
void interview_scribe(struct interview *l, bool scribe);

/* One of the pushbacks of the running scenario, after the commitment: into the attempt. While the
 * candidate still chooses line and fix, or is asked a number, it waits (a later one takes its
 * place), so that it destroys nothing that is being typed: interview_deliver. That it waits is an
 * event, so that the next host delivers it after a kill. */
int interview_push(struct interview *l, int pushback, struct err *err);
int interview_waiting(const struct interview *l); /* the pushback that waits; -1: none does */
void interview_deliver(struct interview *l); /* once nothing is in its way; after every key */
/* Drops the pushback that waits; ERR_BAD_REQUEST: none does. */
int interview_push_drop(struct interview *l, struct err *err);

#endif
