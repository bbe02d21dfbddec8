/* The score of 100, in pure functions. design.md's formulas; the worked example (84.0) is a test
 * vector. */
#ifndef WD_SCENARIOS_SCORING_H
#define WD_SCENARIOS_SCORING_H

#include <stdbool.h>

#define SCORE_RULE 1          /* counts changes of these rules */

/* Q = 1 - B / (1 - 1/K), B = sum (p - o)^2: even 0, certain and right 1, never clipped. p sums
 * to 1. */
double score_quality(const double *p, int k, int truth);
/* e: 1 up to par, then falling to 0 at patience, never below. */
double score_thrift(double paid, double par, double patience);
/* s(f), f = max(x/t, t/x): 1 up to 1.10 (or `within` when larger), then 1 - ln(f/w)/ln(3/w), 0 from
 * 3 (or within^2 when that is larger). x, t > 0. */
double score_estimate(double given, double truth, double within);
/* 1 - sum TV(b_k, b*_k) / sum max(0.05, TV(b_{k-1}, b*_k)), floored at 0. beliefs[n+1][k] step 0
 * first; ideal[n][k] is b*_k. n 0: 1. */
double score_updating(const double *beliefs, const double *ideal, int n, int k);
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

struct score {
    double line[LINE_COUNT];
    double total;
}; /* total: of the lines rounded to whole points; not clipped */
double score_shown(
    double total); /* as people see it, in whole points and never below 0; data keep the total */

/* cause and evidence together, at belief p, if `truth` were so: for the stakes shown at the
 * commitment. */
double score_stakes(const double *p, int k, int truth, double paid, double par, double patience);

#endif
