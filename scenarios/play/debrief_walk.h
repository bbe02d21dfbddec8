/* The belief path of one investigation, and where the evidence leads; what debrief.c scores and
 * debrief_text.c words.
 *
 * Updating is judged from one's own opening beliefs: those that stood when the first evidence came,
 * even ones if nobody had moved them. Even beliefs have nothing in them, so the symptom's readings
 * multiply them. Stated ones were stated beside the symptom. Whoever saw what it says has it in
 * them, and to multiply again would count it twice; whoever learned it from a later purchase has
 * not. Nobody can see which, so there are two places where the evidence may lead, each with the
 * symptom in it once, and the nearer counts. Either reader is told to say what they believe. */
#ifndef WD_SCENARIOS_DEBRIEF_WALK_H
#define WD_SCENARIOS_DEBRIEF_WALK_H

#include "scenarios/play/debrief.h"

typedef double shares[MAX_HYPOTHESES];

enum moment { AT_COMMITMENT, AT_ANSWER /* to the pushback */, MOMENTS };

struct walk {
    const struct investigation *i;
    const struct variant *v;
    int k, truth, n; /* hypotheses; the cause; steps after the first, the pushback included */
    int open;               /* steps until the commitment: n, or one less with a pushback */
    bool pushed;            /* the last step is the pushback */
    bool they;              /* told to somebody else */
    struct evidence *bought;
    struct evidence **list; /* the purchases under the names they were bought by */
    struct scope scope;     /* everything bought, and `all` */
    shares *you;            /* [n + 1] beliefs, step 0 before any evidence */
    shares *ideal; /* [n + 1] a reader of symptom and evidence who began even */
    shares leads[MOMENTS][2]; /* where the evidence leads from the opening beliefs: the symptom told
                                 apart from them, and in them already */
};

void walk_make(struct walk *w, const struct investigation *i, const struct msg_device *device,
               const struct evidence *all);
void walk_free(struct walk *w);
/* flags[n_readings]: which readings hold with the symptom and the first n purchases. */
void walk_readings(const struct walk *w, int n, bool *flags);

/* Total variation of `beliefs` from where the evidence leads; which of the two that is in *leads
 * (may be NULL), borrowed. */
double walk_gap(const struct walk *w, enum moment m, const double *beliefs, const double **leads);
/* Q's factor e, and the line's share 0..1 when the answer to the pushback had been `last`. */
double walk_thrift(const struct walk *w);
double walk_updating(const struct walk *w, const double *last);
/* Cause, evidence and updating together when the last step had ended at `last`: what the pushback
 * could change. */
double walk_worth(const struct walk *w, const double *last);
/* Was what is left named rightly, by somebody who tested? */
bool walk_said_left(const struct walk *w);
/* Was anything of the list under v bought: the comparison, poison, repetition, ...? */
bool walk_checked(const struct walk *w);

#endif
