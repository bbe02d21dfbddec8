/* The score of 100, in pure functions. The worked examples of the man page are test vectors.
 *
 * Cause, evidence and updating are made so that nobody can expect more than by saying what they
 * believe: Q is a proper rule, e depends on no belief, and updating is full for whoever follows
 * the evidence from where they began. When keys were pressed in between is never looked at. */
#ifndef WD_SCENARIOS_SCORING_H
#define WD_SCENARIOS_SCORING_H

#include <stdbool.h>
#include <stddef.h>

#define SCORE_RULE 3          /* counts changes of these rules */

/* Q = 1 - B / (1 - 1/K), B = sum (p - o)^2: even 0, certain and right 1, never clipped. p sums
 * to 1. */
double score_quality(const double *p, int k, int truth);
/* The share of the line `cause`. Where a build may hold two faults, the belief in the first is two
 * thirds of it, and the other third is for what was said to be left: all for the right one, else
 * nothing, and nothing for whoever tested nothing. It depends on no belief, so Q stays proper. */
double score_cause(double q, bool asks_left, bool said_right);
/* e: 1 up to par, then falling to 0 at patience, never below; 0 for whoever bought nothing. */
double score_thrift(bool tested, double paid, double par, double patience);
/* s(f), f = max(x/t, t/x): 1 up to 1.10 (or `within` when larger), then 1 - ln(f/w)/ln(3/w), 0 from
 * 3 (or within^2 when that is larger). x, t > 0. */
double score_estimate(double given, double truth, double within);
/* u of a distance from where the evidence leads: 1 up to UPDATING_FULL, 0 from UPDATING_NONE,
 * linear between. */
#define UPDATING_FULL 0.15
#define UPDATING_NONE 0.50
double score_updating(double distance);
enum { UPDATING_COMMITTED = 7, UPDATING_ANSWERED = 3 };   /* points, of 10, for the two moments */
/* Posterior of `prior` under `likelihood`, both [k]; result sums to 1. */
void score_posterior(double *out, const double *prior, const double *likelihood, int k);
/* Total variation: half the sum of |a - b|. */
double score_distance(const double *a, const double *b, int k);

enum score_line_id {
    LINE_CAUSE,
    LINE_EVIDENCE,
    LINE_ESTIMATES,
    LINE_UPDATING,
    LINE_LOCATION,
    LINE_REMEDY,
    LINE_COUNT
};
const char *score_line_name(enum score_line_id l);   /* "cause" ... */
int score_line_possible(enum score_line_id l);       /* 40 20 20 10 5 5 */

/* A line that could not be earned (no estimate was asked, the interviewer showed the truth before)
 * has 0 possible points, and what is left stands for the 100: 62 of 80 is a total of 78. */
struct score {
    double line[LINE_COUNT];
    int possible[LINE_COUNT];
    bool cut[LINE_COUNT];      /* by the interviewer, or a part of it: `possible` is without it */
    double sum;                /* of the lines in whole points, so that those shown add up */
    int of;                    /* what the lines could give: 100, or 80 */
    double total;              /* the sum as a share of `of`, of 100; whole, not clipped */
};
/* Sum, of and total from lines and their possible points. */
void score_add_up(struct score *s);
double score_shown(
    double total); /* as people see it, in whole points and never below 0; data keep the total */

bool score_is_cut(const struct score *s);    /* any of its lines */
/* "86 of 100"; where lines were cut "78 of 100, 62 of the 80 points that were reached", "nothing
 * was reached". */
void score_says(char *out, size_t size, const struct score *s);

/* What beliefs p bring of cause and evidence together if `truth` were so: for the stakes shown at
 * the commitment. */
double score_stakes(const double *p, int k, int truth, double thrift, bool asks_left);

#endif
