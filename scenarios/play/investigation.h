/* An investigation: a pure state machine folded over moves. No clock, no file, no randomness: times
 * and seeds come in.
 *
 * The same moves serve the event log, `grade --script` and live sessions.
 *
 * In: one move after another, with the evidence that it bought. Out: beliefs, price, what may
 * come next; with the answer (debrief.h) score and lessons. Callers: attempt.h, which keeps it;
 * scenarios/interview, check and report; tui/play. First to open: investigation.c, then
 * attempt.c, which writes moves into the log; debrief_walk.c and debrief.c score, debrief_text.c
 * words, ideal.c is the reader that everybody is compared with. */
#ifndef WD_SCENARIOS_INVESTIGATION_H
#define WD_SCENARIOS_INVESTIGATION_H

#include <jansson.h>

#include "scenarios/evidence/other_gpu.h"

enum move_kind {
    MOVE_STARTED,
    MOVE_ASKED,
    MOVE_CALLED,
    MOVE_BELIEVED,
    MOVE_ESTIMATED,
    MOVE_BOUGHT,
    MOVE_COMMITTED,
    MOVE_PUSHED,
    MOVE_RESPONDED,
    MOVE_REVEALED,
    MOVE_ABANDONED,
    MOVE_UNDONE,
    MOVE_NOTED,
    MOVE_PAUSED /* nothing but its time */,
    MOVE_NAMED /* the space of causes, before it is seen (naming.h) */,
    MOVE_HANDED /* the interviewer gave it: as bought, for nothing */,
    MOVE_COUNT
};
const char *move_name(enum move_kind k);  /* "believed" */

enum { NOTE_BYTES = 16384 };              /* of a note, at most */
/* Why an estimate has no answer though nobody skipped it: in an interview the truth was shown
 * before it was asked, or while it was; or it was shown before that the person can do it. */
enum left { LEFT_NOT, LEFT_UNASKED, LEFT_CUT, LEFT_KNOWN, LEFT_COUNT };
struct move {
    enum move_kind kind;
    char uid[33];
    bool scribe;                          /* somebody else pressed it for the person */
    int64_t at_ms, elapsed_ms;            /* UTC; monotonic time in this attempt */
    int points[MAX_HYPOTHESES];           /* believed, responded: 0..100, sum 100 */
    double odds[MAX_HYPOTHESES];          /* behind the points, as belief_press has them */
    char probe[48];                       /* bought, handed, called */
    struct evidence *evidence; /* bought, handed: owned by the investigation after apply succeeds */
    char item[48], answer[128]; /* estimated: id and text as typed (empty: skipped); called: answer
                                   is the option label; noted, named: answer */
    enum left left; /* estimated: answer is empty then; committed, responded: LEFT_CUT: the truth
                       was shown first, and this stands for what was not said */
    char *text; /* noted, named: in answer's place where it is longer; malloc'd, owned as evidence
                   is */
    int question;                         /* asked: index */
    int line; char remedy[48];            /* committed */
    char then[48]; /* committed: the hypothesis that is left, where the story asks; else "" */
    int pushback;                         /* pushed: index */
    char undone[33];                      /* undone: uid reversed */
    char tier[12], gpu[96]; uint64_t seed; /* started */
    struct other_gpu *other; /* started: of the estimates across GPUs, or NULL; owned as evidence */
};
json_t *move_encode(const struct move *m, const struct story *s);           /* the event's body */
/* What a move holds that no investigation took over. */
void move_clear(struct move *m);
int move_decode(struct move *out, const char *kind, const json_t *body, const struct story *s,
                struct err *err);

enum phase {
    PHASE_OPEN,
    PHASE_COMMITTED,
    PHASE_PUSHED,
    PHASE_RESPONDED,
    PHASE_REVEALED,
    PHASE_ABANDONED
};

/* What the person did not come to, because the interviewer showed the truth before. */
enum {
    CUT_TESTS = 1 /* not even a first purchase */,
    CUT_LOCK = 2 /* locking the beliefs */,
    CUT_PLACE = 4 /* place and fix */,
    CUT_ANSWER = 8 /* the answer to a pushback */
};

struct step { /* the belief path: one per purchase (and pushback), step 0 before any evidence */
    char after[48];                       /* probe, "pushback", "" at step 0 */
    int points[MAX_HYPOTHESES];           /* beliefs when the next move was made */
};
struct purchase {
    char probe[48];
    int price;
    struct evidence *evidence;
    char call[24];
    bool handed;
};

struct investigation {
    const struct story *story;
    const struct variant *variant;        /* needed for prices, pushback likelihoods and the reveal */
    enum phase phase;
    int points[MAX_HYPOTHESES];           /* current beliefs */
    double odds[MAX_HYPOTHESES];          /* behind them; zeros: nobody pressed a key yet */
    struct purchase *bought; int n_bought;
    struct step *steps; int n_steps;
    int price, patience, par;
    int questions_asked; unsigned asked;  /* bits */
    struct { char id[48], answer[128]; bool given; enum left left; } estimates[8]; int n_estimates;
    int line; int remedy;                 /* committed; remedy index or -1 */
    int then; /* hypothesis said to be left once the first is mended; -1: not said */
    int pushback;                         /* -1 until pushed */
    unsigned cut;                         /* CUT_...: what the truth, shown first, cut off */
    char *note;
    uint64_t seed; char tier[12], gpu[96];
    const struct other_gpu *other;        /* of the first move; NULL: nothing is asked across */
    int64_t started_ms, elapsed_ms;
    struct move *moves; int n_moves;      /* all applied, in order */
};

struct investigation *investigation_new(const struct variant *v);
void investigation_free(struct investigation *i);

/* Applies one move or refuses it with a sentence (probe bought twice, estimate after its probe,
 * points that do not sum to 100, beliefs touched after the lock, patience spent ...); a refused
 * move changes nothing. A purchase may pass patience (it is worth nothing then, not forbidden). */
int investigation_apply(struct investigation *i, struct move *m, struct err *err);

/* committed: locks the beliefs; without a remedy it may be completed once with line and remedy.
 * responded without pushed: nobody pushed back, so the beliefs are those that were locked, and
 * `pushback` stays -1. After the commitment only the source may be bought, for nothing; after the
 * reveal nothing changes.
 *
 * Undo: the newest move that can be taken back in this phase (a belief, an estimate not yet
 * answered by its probe); its uid, or NULL. What was seen stays bought. */
const char *investigation_undoable(const struct investigation *i);

/* May the yardstick be shown, the time of a plain copy of as many bytes and what the GPU reaches?
 * It comes with the answer to an estimate of the floor, with the timing, or when it was asked for;
 * a warm-up has it from the start. */
bool investigation_has_yardstick(const struct investigation *i);
/* The estimate of the floor, as long as it can be answered; NULL: none. */
const struct estimate *investigation_floor(const struct investigation *i);

bool investigation_has(const struct investigation *i, const char *probe);
bool investigation_handed(const struct investigation *i,
                          const char *probe); /* the interviewer gave it */
bool investigation_tested(
    const struct investigation *i); /* anything was bought before the commitment, by the person */
const struct evidence *investigation_evidence(const struct investigation *i, const char *probe);
int investigation_price(const struct investigation *i,
                        const char *probe); /* what it would cost now */
/* How many of the story's estimates are part of this attempt, from the first: those across GPUs
 * stand last, and are where another GPU was recorded. */
int investigation_estimates(const struct investigation *i);
/* Why this one was never asked of the person, or not to its end: what shows its answer was handed
 * out, or the truth came first. LEFT_NOT: it counts. */
enum left investigation_left_out(const struct investigation *i, const struct estimate *e);
/* The estimate that must be asked before `probe` is shown and has not been, or NULL. */
const struct estimate *investigation_due(const struct investigation *i, const char *probe);
/* The first of those that no purchase has asked for and none shown: they are asked after the
 * commitment, as are those across GPUs, the last of all. NULL: none is left. */
const struct estimate *investigation_left(const struct investigation *i);
/* Which pushback this attempt gets: from the seed alone. */
int investigation_pushback(const struct investigation *i);

/* ---- beliefs, by single keys: whole points, sum stays 100, nothing below 1 (K <= 10) ---- */
enum belief_key { BELIEF_MORE /* odds x 2 */, BELIEF_LESS /* odds / 2 */, BELIEF_OUT /* to 1 */ };
void belief_even(int *points, int k);
/* `weights` are the odds behind the points, so that what was equal stays equal however often other
 * odds are moved; zeros, or weights that these points do not come from, are taken from the points
 * first. Points move by one at least where there is room. */
void belief_press(double *weights, int *points, int k, int chosen, enum belief_key key);
/* The chosen one gets `percent`, as near as 1 for each of the others allows; the others keep their
 * proportions. */
void belief_say(double *weights, int *points, int k, int chosen, int percent);
/* What every screen of the two shows of the points: those that are equal by their odds show the
 * same whole percent, so that nine even beliefs are 11 each and not 12 once; what is shown may then
 * sum to 99 or 101. */
void belief_show(int *percent, const double *weights, const int *points, int k);
void belief_show_even(int *percent, int k); /* the same of belief_even */
/* Largest remainder; weights need not be normalised. Floor: the least any may get (0 or 1). */
void belief_round(int *points, const double *weights, int k, int floor);

#endif
