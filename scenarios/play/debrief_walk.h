/* The belief path of one investigation beside what the evidence asked for; what debrief.c scores
 * and debrief_text.c words. */
#ifndef WD_SCENARIOS_DEBRIEF_WALK_H
#define WD_SCENARIOS_DEBRIEF_WALK_H

#include "scenarios/play/debrief.h"

typedef double shares[MAX_HYPOTHESES];

struct walk {
    const struct investigation *i;
    const struct variant *v;
    int k, truth, n; /* hypotheses; the cause; steps after the first, the pushback included */
    bool pushed;            /* the last step is the pushback */
    bool they;              /* told to somebody else */
    struct evidence *bought;
    struct evidence **list; /* the purchases under the names they were bought by */
    struct scope scope;     /* everything bought, and `all` */
    shares *you;            /* [n + 1] beliefs, step 0 before any evidence */
    shares *target; /* [n + 1] b*: your beliefs of the step before, times the news; [0] unused */
    shares *ideal;          /* [n + 1] a reader of the same evidence who began even */
};

void walk_make(struct walk *w, const struct investigation *i, const struct msg_device *device,
               const struct evidence *all);
void walk_free(struct walk *w);
/* flags[n_readings]: which readings hold after the first n purchases. */
void walk_readings(const struct walk *w, int n, bool *flags);

/* The line's share 0..1 when the last step had ended at `last`. */
double walk_updating(const struct walk *w, const double *last);
/* Cause, evidence and updating together when the last step had ended at `last`: what the pushback
 * could change. */
double walk_worth(const struct walk *w, const double *last);
/* Was anything of the list under v bought: the comparison, poison, repetition, ...? */
bool walk_checked(const struct walk *w);

#endif
