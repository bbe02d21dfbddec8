/* An attempt: an investigation that is kept. Moves are applied, then written to the store; what the
 * store has not taken yet waits in order and is tried again on every tick, so that a busy database
 * never blocks the screen and nothing acknowledged is lost. */
#ifndef WD_SCENARIOS_ATTEMPT_H
#define WD_SCENARIOS_ATTEMPT_H

#include "db/store.h"
#include "scenarios/library/catalog.h"
#include "scenarios/play/debrief.h"
#include "scenarios/supply/supply.h"

struct attempt;

/* A story whose debrief was read is not new: as long as it rests its healthy variant is not drawn,
 * whose time was just read beside the suspect's, and a solved one is not suggested. */
#define STORY_REST_MS (INT64_C(3) * 24 * 3600 * 1000)

/* Which variant is next, by seed: unseen ones first, from the store; store may be NULL. */
const struct variant *attempt_pick(const struct story *s, struct store *store, uint64_t seed);
/* The same behind a debrief of `not`: another one; NULL: the others rest. */
const struct variant *attempt_pick_other(const struct variant *not, struct store *store,
                                         uint64_t seed);
/* Starts one; its first move has the supply's tier and GPU. */
int attempt_start(struct attempt **out, struct store *store, const struct variant *v,
                  const struct supply *supply, uint64_t seed, int64_t now_ms, struct err *err);
/* Who worked out the floor of two stories is not asked for it again: the estimate is left, for
 * nothing. Called behind attempt_start, by whoever plays alone. */
void attempt_leave_floor(struct attempt *a, int64_t now_ms);
/* Resumes from the log; the scenario comes from the copy kept at the start, so an edited or removed
 * pack does not matter. Without a store nothing can be resumed. */
int attempt_resume(struct attempt **out, struct store *store, const char *uid, int64_t now_ms,
                   struct err *err);
void attempt_free(struct attempt *a);

const struct investigation *attempt_state(const struct attempt *a);
const char *attempt_uid(const struct attempt *a);
const struct variant *attempt_variant(const struct attempt *a);
/* The recording kept with the attempt (recorded tier), or NULL. */
const struct recording *attempt_recording(const struct attempt *a);

/* Fills uid and times, applies, queues for the store. now_ms: monotonic. */
int attempt_move(struct attempt *a, struct move *m, int64_t now_ms, struct err *err);
/* Belief keys: changes the current beliefs at once and writes one `believed` move when the next
 * other move is made, or when attempt_tick finds 300 ms without a key (a store commit per key would
 * block on a slow disk). */
void attempt_press(struct attempt *a, int chosen, enum belief_key key, int64_t now_ms);
/* The same by belief_say. */
void attempt_say(struct attempt *a, int chosen, int percent, int64_t now_ms);
void attempt_points(const struct attempt *a, int *points); /* pressed keys included */
/* The same as the screen shows them, by belief_show. */
void attempt_percent(const struct attempt *a, int *percent);
/* The same into a move that carries beliefs: points and the odds behind them. */
void attempt_fill_beliefs(const struct attempt *a, struct move *m);
void attempt_unpress(struct attempt *a);    /* keys since the last move count no more */
int attempt_undo(struct attempt *a, int64_t now_ms, struct err *err);

/* A live interview keeps each key before it is acknowledged: pressed beliefs become a move now, and
 * everything that waits is written, whenever the store refused last. 0: all is stored; ERR_BUSY, or
 * ERR_IO with a message: something still waits. */
int attempt_settle(struct attempt *a, int64_t now_ms, struct err *err);
/* Whose keys make the moves from here on: the person's, as at first, or those of a scribe who
 * presses for them. Returns whose they were. */
bool attempt_scribe(struct attempt *a, bool scribe);
bool attempt_has_scribe(const struct attempt *a);
/* The place in the store's log of move `index` of the state; 0: not stored yet. */
int64_t attempt_seq(const struct attempt *a, int index);
/* UTC, ms. WARPDRILL_NOW_MS in the environment stands in its place (tests). */
int64_t attempt_utc_ms(void);

/* The person goes away: the time since the last move is kept with a move of its own, where an
 * investigation can go on. */
void attempt_pause(struct attempt *a, int64_t now_ms);

/* Writes what waits. Returns moves still waiting (0: all is stored), or a negative code with a
 * message; call on every tick. */
int attempt_tick(struct attempt *a, int64_t now_ms, struct err *err);
int attempt_deadline_ms(const struct attempt *a,
                        int64_t now_ms); /* until attempt_tick has something to do; -1: never */

/* The debrief once revealed; `all` as in debrief.h: taken over, also on failure, and stored with
 * the revealed move. */
int attempt_reveal(struct attempt *a, const struct msg_device *device, struct evidence *all,
                   int64_t now_ms, struct err *err);
const struct debrief *attempt_debrief(const struct attempt *a);   /* NULL before */
const struct evidence *attempt_all(const struct attempt *a);      /* NULL before */

/* The rows of every attempt from the log, by today's rule of the score: the log keeps moves and no
 * points, so that history, debrief and every mean go by one rule. Between store_rebuild_begin and
 * store_rebuild_end. Returns a store_rc. */
int attempts_project(struct store *store);

#endif
