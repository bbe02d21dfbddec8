/* Was the cause of a scenario found in an interview (found.h), with what the interviewer gave away.
 */
#ifndef WD_SCENARIOS_SESSION_FOUND_H
#define WD_SCENARIOS_SESSION_FOUND_H

#include "scenarios/play/found.h"
#include "scenarios/interview/interview.h"

/* `i` is the part's investigation as far as the entries go. A hint is whatever told the candidate
 * something of the scenario: a prepared hint, a text sent to their screen, a correction said aloud;
 * also one that was taken back, since they may have read it. */
void session_found(struct found *out, const struct interview_entry *entries, int n,
                   const struct investigation *i, int part);

#endif
