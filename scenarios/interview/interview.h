/* The interview that is kept: a session, its log on disk, and the attempt of the scenario that
 * runs.
 *
 * In: the host's keys and the candidate's, as verbs (interview_verbs.h: parts, people, time;
 * interview_says.h: what is said, asked and graded; interview_moves.h: in the attempt;
 * interview_fix.h). Out: the session as it stands, its events and moves in one order, for the
 * console and the reports. Only the host's process has one open (interview_life.h); it is called
 * from one thread. Callers: tui/interview, scenarios/report, warpdrill host, report and replay.
 * First to open: session.h, whose events are the whole truth; then interview_append.c, which writes
 * them. */
#ifndef WD_SCENARIOS_INTERVIEW_H
#define WD_SCENARIOS_INTERVIEW_H

#include "scenarios/play/attempt.h"
#include "scenarios/interview/session.h"

struct interview;

const char *interview_id(const struct interview *l);
const char *interview_folder(const struct interview *l);
const struct session *interview_session(const struct interview *l);
struct store *interview_store(struct interview *l); /* where the attempts are kept */
int64_t interview_now(
    const struct interview *l); /* UTC ms; tests set it through WARPDRILL_NOW_MS */
/* Writes down that the host was here until now, and returns that moment: what a clock shows is
 * kept first, so that no death of the host turns it back. A few bytes without a commit, for each
 * picture: the kernel keeps them when a process is killed, and a machine that loses its power falls
 * back to the last tick. interview_kept_ms: the moment again, for whoever draws; a session that is
 * only read has none, and it is interview_now. */
int64_t interview_keep_time(struct interview *l);
int64_t interview_kept_ms(const struct interview *l);
unsigned interview_changes(const struct interview *l); /* grows with every event and every move:
                                                          whoever shows it compares */
void interview_changed(struct interview *l); /* a move was made in the attempt */

/* Events in order with their times, for lists and reports: those of the session and the moves of
 * its attempts. Borrowed, valid until the next verb or move. Evidence handed out stands twice, as
 * the attempt's move `handed` and as the session's event after it; a move that is not stored yet
 * comes last, with seq 0. Returns how many. */
struct interview_entry {
    int64_t seq, at_ms, elapsed_ms /* of the session's running time */;
    int part;
    const struct session_event *event; /* or */
    const struct move *move;
    const struct investigation *of;
};
int interview_entries(struct interview *l, const struct interview_entry **out);

/* ---- the scenario that runs ---- */
/* The attempt, owned by the session; NULL: none yet, or the running part is no scenario.
 * interview_attempt_begin keeps its uid. */
struct attempt *interview_attempt(struct interview *l);
/* The attempt of a part that was begun, resumed from the log; NULL: none. Owned by the session. */
struct attempt *interview_attempt_of(struct interview *l, int part, struct err *err);
/* Writes what the attempt has not stored yet; 0, or a code while the store refuses. Called after
 * every key, before anything is shown. */
int interview_settle(struct interview *l, struct err *err);

#endif
