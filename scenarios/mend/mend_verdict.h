/* What came of one try: right or refused, why, how fast, and what the hardware did. */
#ifndef WD_SCENARIOS_MEND_VERDICT_H
#define WD_SCENARIOS_MEND_VERDICT_H

#include <jansson.h>

#include "kernels/wire/message_part.h"
#include "scenarios/mend/mend_request.h"

enum mend_is {
    MEND_OPEN,       /* nothing is known yet */
    MEND_RIGHT,
    MEND_REFUSED,    /* because of the text */
    MEND_NOT_JUDGED, /* because of something else: no GPU, a runner that left */
};
/* Why it was refused. */
enum mend_reason {
    MEND_NO_REASON,
    MEND_TEXT,     /* no source, or launch lines that cannot be read */
    MEND_STATE,    /* could tell that it is timed (mend_state.h) */
    MEND_COMPILE,
    MEND_LAUNCH,
    MEND_FAULT,
    MEND_HANGS,
    MEND_WRONG,    /* at the story's own size */
    MEND_SIZE,     /* right there, wrong at another one */
    MEND_MEMORY,   /* depends on what lay in memory */
    MEND_MOVED,    /* buffers that begin elsewhere */
    MEND_FENCE,    /* reaches past the end of a buffer */
    MEND_UNSTEADY, /* launches differ */
    MEND_BESIDE,   /* writes beside its outputs, or into its inputs */
    MEND_FLOOR,    /* faster than the machine allows */
    MEND_STALE,    /* wrong where it was timed, or on fresh inputs after that */
    MEND_REASONS
};

enum mend_side { MEND_MINE, MEND_SUSPECT, MEND_FIX, MEND_BEST, MEND_ROOF, MEND_SIDES };
struct mend_time { bool there; double value, low, high; }; /* seconds */
enum { MEND_METRICS_MOST = 160 };

struct mend_verdict {
    enum mend_is is;
    enum mend_reason reason;
    char why[1200];            /* "" when right; the compiler's log, or a sentence */
    int checks;                /* comparisons that it passed */
    double error, allowed;     /* largest difference from the reference; allowed 0: exact */
    struct mend_time time[MEND_SIDES];
    struct mend_time against;  /* time over the target's, timed by turns */
    bool has_share;
    double share;              /* of the gap between suspect and target that is closed */
    struct msg_value metric[MEND_METRICS_MOST]; /* of the try; `missing` is NULL always */
    int n_metrics;
    double first_seconds;      /* from the start of judging to the first word: wrong, or its time */
    double seconds;            /* the same to the verdict */
    char gpu[96];
};

const char *mend_reason_word(enum mend_reason r); /* "compile", "wrong", ...; "" for none */
enum mend_reason mend_reason_find(const char *word);
const char *mend_is_word(enum mend_is is); /* "right", "refused", "not judged" */
const char *mend_side_word(enum mend_side s); /* "yours", "suspect", ... */

/* One part of a stage's answer, of which `m` is the request. */
void mend_take_part(struct mend_verdict *out, const struct variant *v, const struct msg_measure *m,
                    enum mend_stage stage, const struct msg_part *part);
/* The text alone is reason enough. */
void mend_take_text(struct mend_verdict *out, enum mend_reason reason, const char *why);
/* A stage that ended with this error. */
void mend_take_error(struct mend_verdict *out, enum mend_stage stage, int code, const char *where,
                     const char *text);
/* After all parts of comparisons: were they made, beside the `before` of earlier stages? `why`:
 * what the runner said of those that were not. */
void mend_take_checks(struct mend_verdict *out, const struct msg_measure *m, int before,
                      const char *why);
/* After all parts of the race: share, and the roof by the story's work and this GPU's ceilings. */
void mend_take_race(struct mend_verdict *out, const struct variant *v, const struct msg_measure *m,
                    const struct msg_device *device, const char *why);

/* The longest time of its sides, which bars are drawn beside; 0: there is none. */
double mend_longest(const struct mend_verdict *v);
/* Right, and not slower than the target by more than `MEND_NOISE`. */
#define MEND_NOISE 0.02
bool mend_is_done(const struct mend_verdict *v);

/* What a bar of a try shows: the share of the gap that it closed, of a task, which has no suspect,
 * its share of the best's speed; below 0: nothing. */
double mend_shown_share(const struct mend_verdict *v);

/* "right, 3.2 times as fast as the suspect, 62 % of the gap closed"; of a task "right, 1.8 times
 * the best's time". Before the verdict, once it was timed, "right so far, ...". */
void mend_headline(char *out, size_t size, const struct mend_verdict *v);

/* Times, share, metrics and words, as kept and as told by --json; new reference. */
json_t *mend_encode(const struct mend_verdict *v);
/* The reverse; what is not there stays zero. */
void mend_decode(struct mend_verdict *out, const json_t *from);

#endif
