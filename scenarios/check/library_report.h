/* A library judged as a whole: what rules of thumb earn on it without evidence, and hypotheses that
 * are offered often and never true. Pure: openings in, a report out. */
#ifndef WD_SCENARIOS_LIBRARY_REPORT_H
#define WD_SCENARIOS_LIBRARY_REPORT_H

#include "scenarios/check/findings.h"
#include "scenarios/check/library_guessers.h"

/* What one guesser earned, mean over the openings that it could play on. */
struct guessed {
    const struct guesser *who;
    int n;                            /* openings */
    double points;                    /* of 60 for cause and evidence, one purchase made unread */
    double bare;                      /* of the 40 of cause, nothing bought */
    double decides, right;            /* openings it is more than half sure of; and rightly so */
    const char *best;                 /* the opening that brought most; NULL without any */
    double most;                      /* and what it brought, of 60 */
    int always;                       /* the cause said, a rank; -1: not the same for all */
};
/* A hypothesis on offer; ranks of the taxonomy. */
struct offered { int cause, stories, variants, true_; };

struct library_report {
    struct guessed *guessed; int n;
    struct offered *offered; int n_offered;   /* in the order of the taxonomy */
    int n_stories, n_openings;
    bool judged;                      /* there are stories enough to hold it against the limits */
};

/* The report borrows the openings' ids. */
void library_report_make(struct library_report *out, const struct openings *o);
void library_report_free(struct library_report *r);
/* Rules library-guess and library-never; nothing where it is not judged. */
void library_report_judge(struct findings *f, const struct library_report *r,
                          const struct openings *o);
char *library_report_text(const struct library_report *r);     /* a table; malloc'd */
json_t *library_report_encode(const struct library_report *r);

#endif
