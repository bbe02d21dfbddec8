/* What a typed answer to a drill is worth, and what went wrong with it. Pure. */
#ifndef WD_DRILLS_ANSWER_H
#define WD_DRILLS_ANSWER_H

#include "drills/question/instance.h"

enum drill_how {
    DRILL_SKIPPED,     /* nothing typed: no points, and no lie either */
    DRILL_UNREADABLE,  /* not read as a number: not wrong, to be typed again */
    DRILL_WRONG_UNIT,  /* a time where a bandwidth was asked for */
    DRILL_RIGHT,
    DRILL_CLOSE,       /* outside the tolerance, within a factor of three */
    DRILL_SLIP,        /* a mistake with a name */
    DRILL_WRONG,
};

struct drill_graded {
    enum drill_how how;
    double value;          /* given, in SI base units; of an interval its geometric middle */
    bool interval;
    double low, high, confidence;
    double points;         /* of 1; an interval's may be below 0, down to INTERVAL_FLOOR */
    double log_error;      /* ln(given / truth) where both are above 0, else 0 */
    /* the reading of a number whose unit was guessed from its form, "5500 GB/s"; else "" */
    char taken[64];
    char slip[240];        /* the mistake's name, or "" */
    char say[320];         /* one or two sentences: the reading of the answer, and the right one */
};

#define DRILL_COST_WORDS \
    " Width and misses both cost: " /* in what is said of an interval: behind it its points, " \
                                       of 1." */
#define DRILL_HINT_COST 0.25 /* of the points of an answer that was right */

/* `took_s` over the drill's seconds is said, not punished. Choices are answered by their place or
 * their words. */
void drill_grade(struct drill_graded *out, const struct drill_instance *i, const char *typed,
                 bool hinted, double took_s);

#endif
