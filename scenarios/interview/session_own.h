/* What the parts of session.c share. */
#ifndef WD_SCENARIOS_SESSION_OWN_H
#define WD_SCENARIOS_SESSION_OWN_H

#include "scenarios/interview/session.h"

/* ---- session_known.c ---- */

struct session_state *session_now(const struct session *s); /* of the part that runs; NULL: none */
bool session_is_running(const struct session *s);           /* a part runs, on pause or not */
bool session_can_undo(enum session_kind k);
int session_name_find(const char list[][48], int n, const char *name); /* its place; or -1 */

uint64_t session_uid_key(const char *uid); /* what session.keys holds of it */
struct session_event *session_event_find(const struct session *s, const char *uid); /* or NULL */
struct session_party *session_party_find(const struct session *s, const char *uid); /* or NULL */

/* ---- session_check.c ---- */

/* Does what there is allow an event of its kind? session_check without what holds for each. */
int session_check_kind(const struct session *s, const struct session_event *e, struct err *err);

#endif
