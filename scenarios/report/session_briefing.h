/* What an interviewer should have read before a scenario, on one page: computed from its answer and
 * a recording. Sealed: never for the candidate. */
#ifndef WD_SCENARIOS_SESSION_BRIEFING_H
#define WD_SCENARIOS_SESSION_BRIEFING_H

#include "scenarios/play/ideal.h"
#include "scenarios/evidence/other_gpu.h"
#include "scenarios/evidence/request.h"

struct briefing_number {
    char label[64], value[96];
}; /* "suspect", "1.051 ms, 511 GB/s" */
/* Letter of the shop; of a case the exhibit's id stands in `name`. "sectors per store request 32:
 * settles uncoalesced access": the first `fact` bytes are the fact alone, at most 64 of them, for
 * one row. */
struct briefing_line { char probe; char name[32]; int fact; char text[224]; };
struct briefing_turn {
    int hypothesis;
    char why[224], question[224];
}; /* a likely wrong turn, and the question that exposes it */
/* `text` is said to the candidate; `note` is for the interviewer: what it teaches, a mistake with
 * its number, what a hint gives away. Of a number `expects` is the truth with what is accepted,
 * "0.108 ms; take 93.7 us to 0.124 ms", and `truth` and `within` are the same as estimate_grade
 * takes them (base units); "" and 0 where this recording does not hold it. */
struct briefing_say {
    enum { SAY_CONVICTION, SAY_CORRECTION, SAY_HERRING, SAY_NUMBER, SAY_HINT } kind;
    int index;                           /* of the pushback, estimate, hint */
    char text[768], note[256], expects[96];
    double truth, within;
};

struct briefing {
    char truth[256];                     /* "uncoalesced access, line 6" */
    char fix[256];                       /* the remedy, and what it brings */
    char effect[144];                    /* "1.051 ms to 0.150 ms, 7.0 x" */
    char cheapest[96]; struct path path; /* "r + m, 4 min" */
    struct briefing_number numbers[5]; int n_numbers;
    struct briefing_line settles[4], misleads[4]; int n_settles, n_misleads;
    struct briefing_turn turns[3]; int n_turns;
    struct briefing_say says[12];
    int n_says; /* pushbacks by kind, one number per estimate, three hints from far to near */
};
/* `device` and `all` as in debrief.h (request_recall_all of the recording). ERR_MISSING without a
 * recording. `other` is of the estimates across GPUs; NULL: those are not asked. */
int briefing_make(struct briefing *out, const struct variant *v, const struct msg_device *device,
                  const struct evidence *all, const struct other_gpu *other, struct err *err);

#endif
