/* Interviews on disk: made, opened, listed, deleted; whoever hosts one holds its lock. */
#ifndef WD_SCENARIOS_INTERVIEW_LIFE_H
#define WD_SCENARIOS_INTERVIEW_LIFE_H

#include "scenarios/interview/interview.h"
#include "scenarios/interview/session_code.h"

/* A new session in $XDG_STATE_HOME/warpdrill/sessions/ID/session.db (folders 0700, files 0600). ID:
 * "2026-11-21-k7q". `code` receives what to tell the candidate and the observers; it is stored
 * nowhere. lasting_ms: until the codes expire. */
int interview_create(struct interview **out, struct session_codes *code,
                     const struct session_plan *plan, int64_t lasting_ms, struct err *err);
/* An existing one, by ID, any beginning of it that is unique, or its end ("k7q"); read_only: for
 * reports and replay, while no or another process has it. ERR_BUSY when another host's process has
 * it open. One that is over takes grades (and what takes one back) and the release of the scores,
 * and nothing else. */
int interview_open(struct interview **out, const char *id, bool read_only, struct err *err);
void interview_free(struct interview *l);
/* The plan with which an interview began, for another candidate: the same parts, minutes and seed,
 * so that questions, cases and pushbacks are the same, and no name. */
int interview_plan_of(struct session_plan *out, const char *id, struct err *err);
/* New codes; the old ones end. */
int interview_invite(struct interview *l, struct session_codes *code, int64_t lasting_ms,
                     struct err *err);

struct interview_listed {
    char id[64], title[96], candidate[64];
    int64_t began_ms, last_ms;
    bool over, unreadable, open /* by a host */;
    int parts, part;
    int64_t bytes;
};
int interview_list(struct interview_listed **out, int *n,
                   struct err *err); /* newest first; free() */
/* Deletes it for good: the folder with everything in it. ERR_BUSY while a host has it. */
int interview_delete(const char *id, struct err *err);

#endif
