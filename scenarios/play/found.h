/* Was the cause found, or given away? One rule for every report, screen and statistic. Pure.
 *
 * Found: when the beliefs were locked the cause stood alone in front, and it was not a hint that
 * had put it there. What a pushback taught afterwards is told beside it, and never called found. */
#ifndef WD_SCENARIOS_FOUND_H
#define WD_SCENARIOS_FOUND_H

#include "scenarios/play/investigation.h"

enum given { GIVEN_NOTHING, GIVEN_HINT, GIVEN_CORRECTION, GIVEN_PUSHBACK /* of another kind */ };

struct found {
    bool locked;         /* there was a commitment */
    bool cut;            /* the interviewer showed the truth before the beliefs were locked */
    bool is;
    int held, last;      /* % on the cause: when the beliefs were locked, and at the end */
    enum given by;       /* what put the cause in front, where it was not the person's own work */
    enum given pushed;   /* which pushback was answered */
};

/* `hints`: how many moves of `i` had been made when each hint came, in any order; may be NULL with
 * 0. A hint put the cause in front where no evidence was bought between the two. Where the beliefs
 * were never locked, `held` is as they stand. The variant needs its answer. */
void found_make(struct found *out, const struct investigation *i, const int *hints, int n_hints);

/* "found, at 82 %", "not found: 9 % when the beliefs were locked, 89 % only after the correction",
 * "not found alone: in front only after a hint, at 60 %", "not reached, at 30 % when it was cut by
 * the interviewer". */
void found_says(char *out, size_t size, const struct found *f);
/* What came after that: ", 89 % only after the correction"; "" where nothing moved. */
void found_after(char *out, size_t size, const struct found *f);

#endif
