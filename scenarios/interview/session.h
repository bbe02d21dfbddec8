/* A live interview: a pure state folded over the events of its log. No clock, no file: times come
 * in with the events.
 *
 * What the candidate does inside a scenario are moves of an attempt (investigation.h), in a stream
 * of its own; here stands what holds the hour together: the plan, the parts, the clock, and all
 * that the interviewer does. */
#ifndef WD_SCENARIOS_SESSION_H
#define WD_SCENARIOS_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "scenarios/interview/session_plan.h"
#include "scenarios/mend/mend_verdict.h"

enum session_kind {
    SESSION_PLANNED, /* {plan}: first, and again while it is edited before the start */
    SESSION_INVITED, /* {id, candidate, observer, expires_ms}: hashes of the codes' secrets; a later
                        one replaces them */
    SESSION_OPENED, /* {wall, for?}: a host's process has come, for a candidate who is that
                       Unix user; the time since the event before is not counted */
    SESSION_JOINED, /* {party, role, name, wall} */
    SESSION_LEFT, /* {party, say} */
    SESSION_BEGAN, /* {part}: the part is on the candidate's screen */
    SESSION_ATTEMPTED, /* {part, attempt}: the scenario's attempt, by its uid */
    SESSION_FINISHED, /* {part} */
    SESSION_PAUSED,
    SESSION_RESUMED, /* {} */
    SESSION_TICKED, /* {slept}: time has passed; slept: the machine slept, and the time since the
                       event before is not counted */
    SESSION_EXTENDED, /* {minutes, part}: the whole length from now on of a part that is not done;
                         without `part` of the running one */
    SESSION_QUIET, /* {seconds}: quiet time begins; 0: it ends */
    SESSION_WITHHELD, /* {probe, back}: the interviewer keeps it back; back: no longer */
    SESSION_HANDED, /* {probe}: given for nothing; the evidence is the attempt's own move */
    SESSION_HINTED, /* {hint, text} */
    SESSION_SAID, /* {line, text}: a line of "say next" was said aloud */
    SESSION_INJECTED, /* {text}: shown to the candidate: a curveball, a question */
    SESSION_QUEUED, /* {pushback}: it waits until they have answered; {}: none waits */
    SESSION_DRILLED, /* {drill, seed, title?}: put on the candidate's screen; the title is kept,
                        since the library may be gone when it is told */
    SESSION_ANSWERED, /* {drill, answer, seconds, how, points, say}: and what it was worth */
    SESSION_RATED, /* {signal, grade}: 1 to 4; 0 takes the grade away */
    SESSION_NOTED, /* {text, share}: the interviewer's own; share: may stand in the report for the
                      candidate */
    SESSION_SPOKE, /* {text}: the shared notebook of a part that is only talk, whole: it takes the
                      place of the former text */
    SESSION_REVEALED, /* {part}: the running one, or one before it */
    SESSION_MENDING, /* {part, over}: the fix of a revealed scenario is asked for; over: no
                        longer */
    SESSION_TRIED, /* {part, text}: handed in, before it is judged */
    SESSION_JUDGED, /* {part, try, verdict}: what came of it (mend_verdict.h) */
    SESSION_HELPED, /* {part, step}: the candidate asked for this step of help with the fix */
    SESSION_RELEASED, /* {}: scores may be seen by the candidate */
    SESSION_UNDONE, /* {undone}: uid of what was taken back */
    SESSION_CLOSED, /* {} */
    SESSION_KINDS
};
const char *session_kind_name(enum session_kind k);          /* "planned" */
/* The candidate's screen may show it ("all"), or it is the interviewer's alone ("host"). */
const char *session_audience(enum session_kind k);

enum {
    SESSION_TEXT = 2048 /* bytes of one note, hint, line */,
    SESSION_TALK = 16384 /* of what was written down in a part of talk */,
    SESSION_TRY = 16384 /* of one text that was handed in */,
    SESSION_TRIES = 20 /* of one part */,
    SESSION_STEPS = 8 /* of help with one fix, at most */,
    SESSION_QUIET_S = 180
};

struct session_event {
    enum session_kind kind;
    char uid[33];
    int64_t seq, at_ms;                  /* the log's order; UTC */
    int part;                            /* index; where it is meant */
    int number; /* hint, line, seconds, grade; queued: the pushback or -1; judged: the try;
                   helped: the step */
    bool flag;                           /* back, share, slept, over */
    bool scribe;                  /* answered, spoke, tried: the interviewer pressed for them */
    char name[96]; /* probe, drill "set/id", signal, party's uid, attempt's uid, uid undone */
    char role[16], who[64],
        wall[16]; /* joined: candidate, observer; the name that the party gave, cleaned; answered:
                     `role` holds how; opened: `who` holds for, `wall` wall */
    char *text,
        *answer; /* owned; NULL: none. left, answered: `text` holds say; drilled: the title */
    uint64_t seed;
    double points;
    json_t *plan;                        /* planned: owned; else NULL */
    json_t *invitation;                  /* invited: the body, owned */
    json_t *verdict;                     /* judged: owned, as mend_encode makes it */
    /* Filled by the fold in the events that the session keeps. */
    int64_t elapsed_ms;                  /* the session's running time */
    int in_part;                         /* the part that ran, or ran last; -1 before the first */
    bool runs;                           /* the clock ran from here on */
    bool undone;                         /* was taken back later */
};
json_t *session_event_encode(const struct session_event *e); /* the event's body */
int session_event_decode(struct session_event *out, const char *kind, const json_t *body,
                         struct err *err);
struct session_event *session_event_copy(
    const struct session_event *e); /* not undone; freed as the other, and then by free() */
void session_event_free(
    struct session_event *e); /* what it owns; the event itself is the caller's */

enum session_phase {
    SESSION_WAITING /* nothing has begun */,
    SESSION_RUNNING,
    SESSION_ON_PAUSE,
    SESSION_BETWEEN /* parts */,
    SESSION_OVER
};

struct session_note { char uid[33]; int64_t at_ms, elapsed_ms; bool share; char *text; };
struct session_line {
    enum session_kind kind;
    char uid[33];
    int64_t at_ms, elapsed_ms;
    int number;
    char *text;
}; /* hints, lines said, injected */
struct session_drill {
    char drill[96];
    uint64_t seed;
    bool answered;
    char *answer, *say;
    char how[16];
    double points;
    int seconds;
    int64_t asked_ms;
};

/* A text that was handed in: `verdict` is owned; NULL: it is not judged yet. */
struct session_try {
    int64_t at_ms, elapsed_ms;
    char *text;
    struct mend_verdict *verdict;
};

struct session_state {                   /* of one part */
    char attempt[33];                    /* "" until there is one */
    bool begun, finished, revealed;
    int64_t spent_ms;                    /* of its clock, up to the last event */
    char withheld[32][48]; int n_withheld;
    char handed[32][48]; int n_handed;
    int queued;                          /* the pushback that waits, from 1; 0: none */
    struct session_line *lines; int n_lines;
    struct session_drill *drills; int n_drills;
    char *talk;                          /* what was written down */
    bool mending;                        /* its fix is asked for: session_mend.h */
    struct session_try *tries; int n_tries;
    int helped;                          /* steps of help with the fix that were shown */
};
struct session_party { char uid[33], role[12], name[64], wall[16]; bool here; int64_t seen_ms; };

struct session {
    struct session_plan plan;
    enum session_phase phase;
    int part;                            /* the one that runs, or ran last; -1 before the first */
    struct session_state *parts;         /* one for each of the plan's */
    int64_t began_ms, last_ms;           /* UTC: of the first part, of the last event; 0: none */
    int64_t elapsed_ms;                  /* running time of the whole, up to the last event */
    int64_t quiet_until_ms;              /* UTC; 0: no quiet time */
    char signal[SESSION_MAX_SIGNALS][48];
    int grade[SESSION_MAX_SIGNALS];
    int64_t late_ms[SESSION_MAX_SIGNALS] /* as session_graded_late */;
    int n_grades;
    bool knowing[SESSION_MAX_SIGNALS];   /* of each grade: session_scores_open when it was given */
    struct session_note *notes; int n_notes;
    struct session_party *parties; int n_parties;
    char guest[64];                      /* the candidate's Unix user; "" the host's own */
    char code_id[8], secret_sha256[65], observer_sha256[65]; int64_t expires_ms;
    bool released;
    int64_t seq;                         /* of the last event applied */
    struct session_event **log; int events;  /* applied, in order; each stays where it is */
    uint64_t *keys; /* of each, a hash of its uid: finding one among thousands costs microseconds */
};
struct session *session_new(void);
void session_free(struct session *s);
/* Applies one event or refuses it with a sentence; a refused one changes nothing, and one that was
 * applied already (its seq) says so by 1. */
int session_apply(struct session *s, const struct session_event *e, struct err *err);
/* The session as it was after the first `events` of its log: one of its own, for replay. What was
 * taken back after that counts still. */
struct session *session_until(const struct session *s, int events);
/* Would it be applied? Changes nothing. */
int session_check(const struct session *s, const struct session_event *e, struct err *err);

/* The running part's clock and the whole's, at a moment: what the last event said, and the time
 * since, unless on pause or between parts. ms. */
int64_t session_part_ms(const struct session *s, int64_t now_ms);
int64_t session_total_ms(const struct session *s, int64_t now_ms);
bool session_is_withheld(const struct session *s, const char *probe);
/* What a signal is called; its id where the plan has none of it. */
const char *session_signal_title(const struct session *s, const char *id);
int session_grade(const struct session *s, const char *signal);         /* 0: none yet */
/* When its grade was given, where the interview was over by then: UTC ms; 0: given while it lasted,
 * or none. */
int64_t session_graded_late(const struct session *s, const char *signal);
bool session_rated(const struct session *s); /* is every signal of the plan's rubric graded? */
int session_graded(const struct session *s);                            /* how many of them are */
/* Was its grade given when scores could be seen? */
bool session_graded_knowing(const struct session *s, const char *signal);
/* May scores be seen, by the candidate or else by the interviewer? By the candidate when they were
 * released, or were never to be withheld; the interviewer grades blind until then, or until every
 * signal is graded, or the interview is over. Screens and reports ask this and nothing else. */
bool session_scores_open(const struct session *s, bool candidate);
const struct session_drill *session_drill_open(
    const struct session *s); /* asked and not answered in the running part; NULL: none */
/* A drill by the title that was kept when it was asked, else by its id. */
const char *session_drill_title(const struct session *s, const char *id);
/* The seed with which it is asked, now or again: of the plan, so that its question can be read
 * before. One that was asked keeps its own. */
uint64_t session_drill_seed(const struct session *s, const char *id);
/* The newest event that can be taken back (rated, noted, said, hinted, injected, withheld): its
 * uid, "" if none. */
const char *session_undoable(const struct session *s);

#endif
