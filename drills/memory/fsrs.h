/* When to see something again: FSRS-6, the free spaced repetition scheduler, with its published
 * default weights. Pure.
 *
 * Memory is a stability S (days until recall falls to 90 %) and a difficulty D (1 to 10). Formulas
 * and weights are those of open-spaced-repetition's ts-fsrs 5.4 and py-fsrs 6.3;
 * tests/drills/vectors holds sequences that ts-fsrs computed.
 */
#ifndef WD_DRILLS_FSRS_H
#define WD_DRILLS_FSRS_H

#include <stdbool.h>

#define FSRS_MODEL "fsrs-6" /* stored with every review, so that a later model can be told apart */

enum fsrs_grade { FSRS_AGAIN = 1, FSRS_HARD, FSRS_GOOD, FSRS_EASY };
enum fsrs_phase { FSRS_NEW, FSRS_LEARNING, FSRS_REVIEW, FSRS_RELEARNING };

struct fsrs {                   /* all zero: never seen */
    enum fsrs_phase phase;
    int step;                   /* of the learning or relearning steps */
    double stability, difficulty;
    int reviews, lapses;
};

struct fsrs_settings {
    double retention;           /* wanted chance of recall when it comes back: 0.7 to 0.99 */
    int most_days;              /* no interval is longer */
    bool steps;                 /* first minutes, then days; false: days from the start */
};
extern const struct fsrs_settings fsrs_default; /* 0.9, 36500, steps */

/* When it is due: minutes within the session, or whole days; the other is 0. */
struct fsrs_due { int minutes, days; };

/* Chance of recall `days` after the last review; 0 for what was never seen. */
double fsrs_recall(const struct fsrs *f, double days);

/* One review, `days` whole study days after the last one (0: the same day). Updates f. */
struct fsrs_due fsrs_review(struct fsrs *f, enum fsrs_grade grade, int days,
                            const struct fsrs_settings *settings);

/* Days until recall has fallen to `retention`, at least 1 and at most most_days. */
int fsrs_interval(double stability, double retention, int most_days);

#endif
