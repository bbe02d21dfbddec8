/* The fix in an interview: asked for once the truth of a scenario is shown, handed in as text,
 * judged. One part at a time, one text at a time. */
#ifndef WD_SCENARIOS_SESSION_MEND_H
#define WD_SCENARIOS_SESSION_MEND_H

#include "scenarios/interview/session.h"
#include "scenarios/mend/mend_moved.h"
#include "scenarios/mend/mend_score.h"

#define SESSION_TRY_NAME "mine.cu" /* of a text in what a compiler says of it */

/* The part whose fix is asked for; -1: none. */
int session_mending(const struct session *s);
/* The one text that waits for its verdict; NULL: none does. *part is its part, *number its try from
 * 1. */
const struct session_try *session_try_open(const struct session *s, int *part, int *number);

/* What try `at`, from 0, has otherwise than the last one before it that was measured, which *since
 * numbers from 1; 0: there is none, or nothing moved. */
int session_try_moved(struct mend_moved out[MEND_MOVED_MOST], const struct session_state *p, int at,
                      int *since);

/* How the fix of a part went; it borrows from the session. */
struct mend_score session_fix_score(const struct session_state *p);

/* ---- for session.c: events mending, tried, judged and helped ---- */

int session_mend_check(const struct session *s, const struct session_event *e, struct err *err);
void session_mend_book(struct session *s, const struct session_event *e);
/* No fix is asked for any more. */
void session_mend_end(struct session *s);
/* What a part holds of it; the part is zeroed by the caller. */
void session_tries_free(struct session_state *p);

#endif
