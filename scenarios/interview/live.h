/* A live interview that is kept: the session, its log on disk, and the attempt of the running scenario. The host's process alone has one.
 *
 * Every verb writes its event and returns only after the commit; what the store refuses (a full disk) changes nothing and returns a
 * code with a sentence. Texts are cleaned of control characters. Everything here is called from one thread. */
#ifndef WD_SCENARIOS_LIVE_H
#define WD_SCENARIOS_LIVE_H

#include "scenarios/play/attempt.h"
#include "scenarios/interview/session.h"
#include "scenarios/interview/session_code.h"

struct live;

/* ---- life (live.c) ---- */
/* A new session in $XDG_STATE_HOME/warpdrill/sessions/ID/session.db (folders 0700, files 0600). ID: "2026-11-21-k7q". `code` receives what
 * to tell the candidate and the observers; it is stored nowhere. lasting_ms: until the codes expire. */
int live_create(struct live **out, struct session_codes *code, const struct session_plan *plan, int64_t lasting_ms, struct err *err);
/* An existing one, by ID, any beginning of it that is unique, or its end ("k7q"); read_only: for reports and replay, while no or another process has it.
 * ERR_BUSY when another host's process has it open. One that is over takes grades (and what takes one back) and the release of the scores, and nothing else. */
int live_open(struct live **out, const char *id, bool read_only, struct err *err);
void live_free(struct live *l);
/* New codes; the old ones end. */
int live_invite(struct live *l, struct session_codes *code, int64_t lasting_ms, struct err *err);

struct live_listed { char id[64], title[96], candidate[64]; int64_t began_ms, last_ms; bool over, unreadable, open /* by a host */; int parts, part; int64_t bytes; };
int live_list(struct live_listed **out, int *n, struct err *err);   /* newest first; free() */
/* Deletes it for good: the folder with everything in it. ERR_BUSY while a host has it. */
int live_delete(const char *id, struct err *err);

const char *live_id(const struct live *l);
const char *live_folder(const struct live *l);
const struct session *live_session(const struct live *l);
struct store *live_store(struct live *l);                           /* where the attempts are kept */
int64_t live_now(const struct live *l);                             /* UTC ms; tests set it through WARPDRILL_NOW_MS */
/* Writes down that the host was here until now, and returns that moment: what a clock shows is
 * kept first, so that no death of the host turns it back. A few bytes without a commit, for each
 * picture: the kernel keeps them when a process is killed, and a machine that loses its power falls
 * back to the last tick. live_kept_ms: the moment again, for whoever draws; a session that is only
 * read has none, and it is live_now. */
int64_t live_keep_time(struct live *l);
int64_t live_kept_ms(const struct live *l);
unsigned live_changes(const struct live *l);                        /* grows with every event and every move: whoever shows it compares */
void live_changed(struct live *l);                                  /* a move was made in the attempt */

/* Events in order with their times, for lists and reports: those of the session and the moves of its attempts. Borrowed, valid until the
 * next verb or move. Evidence handed out stands twice, as the attempt's move `handed` and as the session's event after it; a move that is
 * not stored yet comes last, with seq 0. Returns how many. */
struct live_entry { int64_t seq, at_ms, elapsed_ms /* of the session's running time */; int part; const struct session_event *event; /* or */ const struct move *move; const struct investigation *of; };
int live_entries(struct live *l, const struct live_entry **out);

/* ---- the scenario that runs ---- */
/* The attempt, owned by the session; NULL: none yet, or the running part is no scenario. live_attempt_begin keeps its uid. */
struct attempt *live_attempt(struct live *l);
/* Takes over a started attempt for the running part. */
int live_attempt_begin(struct live *l, struct attempt *a, struct err *err);
/* The attempt of a part that was begun, resumed from the log; NULL: none. Owned by the session. */
struct attempt *live_attempt_of(struct live *l, int part, struct err *err);
/* Who presses from here on: the candidate, or the interviewer for them. Moves, answers of drills
 * and what is written keep it. */
void live_scribe(struct live *l, bool scribe);
/* Writes what the attempt has not stored yet; 0, or a code while the store refuses. Called after every key, before anything is shown. */
int live_settle(struct live *l, struct err *err);

/* ---- verbs of the host (live_verbs.c) ---- */
int live_plan(struct live *l, const struct session_plan *plan, struct err *err);        /* before the first part */
/* After what the host before had kept of the time (live_keep_time). */
int live_opened(struct live *l, const char *wall, struct err *err);
/* The same for a candidate who is that Unix user; NULL: the host's own. */
int live_opened_for(struct live *l, const char *wall, const char *guest, struct err *err);
int live_joined(struct live *l, const struct session_party *party, struct err *err);
int live_left(struct live *l, const char *party, const char *say, struct err *err);
int live_begin(struct live *l, int part, struct err *err);                              /* ends the one that runs */
int live_finish(struct live *l, struct err *err);
int live_pause(struct live *l, bool on, struct err *err);
int live_tick(struct live *l, struct err *err);                                         /* every ten seconds while running */
/* More time for the running part, or less. */
int live_extend(struct live *l, int minutes, struct err *err);
/* The whole length of a part that is not done. */
int live_minutes(struct live *l, int part, int minutes, struct err *err);
int live_quiet(struct live *l, int seconds, struct err *err);
int live_withhold(struct live *l, const char *probe, bool back, struct err *err);
/* Evidence for nothing: the move goes into the attempt, then the event. `e` is taken over in any case. */
int live_hand(struct live *l, const char *probe, struct evidence *e, struct err *err);
int live_hint(struct live *l, int hint, const char *text, struct err *err);
int live_said(struct live *l, int line, const char *text, struct err *err);
int live_inject(struct live *l, const char *text, struct err *err);
/* One of the pushbacks of the running scenario, after the commitment: into the attempt. While the candidate still chooses line and fix, or is asked a number,
 * it waits (a later one takes its place), so that it destroys nothing that is being typed: live_deliver.
 * That it waits is an event, so that the next host delivers it after a kill. */
int live_push(struct live *l, int pushback, struct err *err);
int live_waiting(const struct live *l);                                                 /* the pushback that waits; -1: none does */
void live_deliver(struct live *l);                                                      /* once nothing is in its way; after every key */
/* What waits is not sent; ERR_BAD_REQUEST: nothing waits. */
int live_push_drop(struct live *l, struct err *err);
/* `title` NULL: not known. */
int live_drill(struct live *l, const char *drill, const char *title, uint64_t seed, struct err *err);
int live_rate(struct live *l, const char *signal, int grade, struct err *err);
int live_note(struct live *l, const char *text, bool share, struct err *err);
int live_spoke(struct live *l, const char *text, struct err *err);
int live_revealed(struct live *l, struct err *err);
/* The same of the scenario of another part, which was begun. */
int live_revealed_part(struct live *l, int part, struct err *err);
int live_release(struct live *l, struct err *err);
int live_take_back(struct live *l, struct err *err);
int live_close(struct live *l, struct err *err);
/* Of the candidate: the open drill's answer, with what it was worth. */
int live_answer(struct live *l, const char *answer, int seconds, const char *how, double points, const char *say, struct err *err);

#endif
