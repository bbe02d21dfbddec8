/* A live interview that is kept: the session, its log on disk, and the attempt of the running scenario. The host's process alone has one.
 *
 * Every verb writes its event and returns only after the commit; what the store refuses (a full disk) changes nothing and returns a
 * code with a sentence. Texts are cleaned of control characters. Everything here is called from one thread. */
#ifndef WD_SCENARIOS_INTERVIEW_H
#define WD_SCENARIOS_INTERVIEW_H

#include "scenarios/play/attempt.h"
#include "scenarios/interview/session.h"
#include "scenarios/interview/session_code.h"

struct interview;

/* ---- life (live.c) ---- */
/* A new session in $XDG_STATE_HOME/warpdrill/sessions/ID/session.db (folders 0700, files 0600). ID: "2026-11-21-k7q". `code` receives what
 * to tell the candidate and the observers; it is stored nowhere. lasting_ms: until the codes expire. */
int interview_create(struct interview **out, struct session_codes *code, const struct session_plan *plan, int64_t lasting_ms, struct err *err);
/* An existing one, by ID, any beginning of it that is unique, or its end ("k7q"); read_only: for reports and replay, while no or another process has it.
 * ERR_BUSY when another host's process has it open. One that is over takes grades (and what takes one back) and the release of the scores, and nothing else. */
int interview_open(struct interview **out, const char *id, bool read_only, struct err *err);
void interview_free(struct interview *l);
/* New codes; the old ones end. */
int interview_invite(struct interview *l, struct session_codes *code, int64_t lasting_ms, struct err *err);

struct interview_listed { char id[64], title[96], candidate[64]; int64_t began_ms, last_ms; bool over, unreadable, open /* by a host */; int parts, part; int64_t bytes; };
int interview_list(struct interview_listed **out, int *n, struct err *err);   /* newest first; free() */
/* Deletes it for good: the folder with everything in it. ERR_BUSY while a host has it. */
int interview_delete(const char *id, struct err *err);

const char *interview_id(const struct interview *l);
const char *interview_folder(const struct interview *l);
const struct session *interview_session(const struct interview *l);
struct store *interview_store(struct interview *l);                           /* where the attempts are kept */
int64_t interview_now(const struct interview *l);                             /* UTC ms; tests set it through WARPDRILL_NOW_MS */
/* Writes down that the host was here until now, and returns that moment: what a clock shows is
 * kept first, so that no death of the host turns it back. A few bytes without a commit, for each
 * picture: the kernel keeps them when a process is killed, and a machine that loses its power falls
 * back to the last tick. interview_kept_ms: the moment again, for whoever draws; a session that is only
 * read has none, and it is interview_now. */
int64_t interview_keep_time(struct interview *l);
int64_t interview_kept_ms(const struct interview *l);
unsigned interview_changes(const struct interview *l);                        /* grows with every event and every move: whoever shows it compares */
void interview_changed(struct interview *l);                                  /* a move was made in the attempt */

/* Events in order with their times, for lists and reports: those of the session and the moves of its attempts. Borrowed, valid until the
 * next verb or move. Evidence handed out stands twice, as the attempt's move `handed` and as the session's event after it; a move that is
 * not stored yet comes last, with seq 0. Returns how many. */
struct interview_entry { int64_t seq, at_ms, elapsed_ms /* of the session's running time */; int part; const struct session_event *event; /* or */ const struct move *move; const struct investigation *of; };
int interview_entries(struct interview *l, const struct interview_entry **out);

/* ---- the scenario that runs ---- */
/* The attempt, owned by the session; NULL: none yet, or the running part is no scenario. interview_attempt_begin keeps its uid. */
struct attempt *interview_attempt(struct interview *l);
/* Takes over a started attempt for the running part. */
int interview_attempt_begin(struct interview *l, struct attempt *a, struct err *err);
/* The attempt of a part that was begun, resumed from the log; NULL: none. Owned by the session. */
struct attempt *interview_attempt_of(struct interview *l, int part, struct err *err);
/* Who presses from here on: the candidate, or the interviewer for them. Moves, answers of drills
 * and what is written keep it. */
void interview_scribe(struct interview *l, bool scribe);
/* Writes what the attempt has not stored yet; 0, or a code while the store refuses. Called after every key, before anything is shown. */
int interview_settle(struct interview *l, struct err *err);

/* ---- verbs of the host (interview_verbs.c) ---- */
int interview_plan(struct interview *l, const struct session_plan *plan, struct err *err);        /* before the first part */
/* After what the host before had kept of the time (interview_keep_time). */
int interview_opened(struct interview *l, const char *wall, struct err *err);
/* The same for a candidate who is that Unix user; NULL: the host's own. */
int interview_opened_for(struct interview *l, const char *wall, const char *guest, struct err *err);
int interview_joined(struct interview *l, const struct session_party *party, struct err *err);
int interview_left(struct interview *l, const char *party, const char *say, struct err *err);
int interview_begin(struct interview *l, int part, struct err *err);                              /* ends the one that runs */
int interview_finish(struct interview *l, struct err *err);
int interview_pause(struct interview *l, bool on, struct err *err);
int interview_tick(struct interview *l, struct err *err);                                         /* every ten seconds while running */
/* More time for the running part, or less. */
int interview_extend(struct interview *l, int minutes, struct err *err);
/* The whole length of a part that is not done. */
int interview_minutes(struct interview *l, int part, int minutes, struct err *err);
int interview_quiet(struct interview *l, int seconds, struct err *err);
int interview_withhold(struct interview *l, const char *probe, bool back, struct err *err);
/* Evidence for nothing: the move goes into the attempt, then the event. `e` is taken over in any case. */
int interview_hand(struct interview *l, const char *probe, struct evidence *e, struct err *err);
int interview_hint(struct interview *l, int hint, const char *text, struct err *err);
int interview_said(struct interview *l, int line, const char *text, struct err *err);
int interview_inject(struct interview *l, const char *text, struct err *err);
/* One of the pushbacks of the running scenario, after the commitment: into the attempt. While the candidate still chooses line and fix, or is asked a number,
 * it waits (a later one takes its place), so that it destroys nothing that is being typed: interview_deliver.
 * That it waits is an event, so that the next host delivers it after a kill. */
int interview_push(struct interview *l, int pushback, struct err *err);
int interview_waiting(const struct interview *l);                                                 /* the pushback that waits; -1: none does */
void interview_deliver(struct interview *l);                                                      /* once nothing is in its way; after every key */
/* What waits is not sent; ERR_BAD_REQUEST: nothing waits. */
int interview_push_drop(struct interview *l, struct err *err);
/* `title` NULL: not known. */
int interview_drill(struct interview *l, const char *drill, const char *title, uint64_t seed, struct err *err);
int interview_rate(struct interview *l, const char *signal, int grade, struct err *err);
int interview_note(struct interview *l, const char *text, bool share, struct err *err);
int interview_spoke(struct interview *l, const char *text, struct err *err);
int interview_revealed(struct interview *l, struct err *err);
/* The same of the scenario of another part, which was begun. */
int interview_revealed_part(struct interview *l, int part, struct err *err);
int interview_release(struct interview *l, struct err *err);
int interview_take_back(struct interview *l, struct err *err);
int interview_close(struct interview *l, struct err *err);
/* Of the candidate: the open drill's answer, with what it was worth. */
int interview_answer(struct interview *l, const char *answer, int seconds, const char *how, double points, const char *say, struct err *err);

#endif
