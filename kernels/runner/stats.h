/* What the samples of a timing say: medians, intervals, verdicts, and when to stop. Pure. */
#ifndef WD_RUNNER_STATS_H
#define WD_RUNNER_STATS_H

#include <stdbool.h>

enum {
    STATS_MIN_ROUNDS = 15,  /* before this nothing is settled */
    STATS_MAX_ROUNDS = 300,
};

/* Median with its 95 % interval from order statistics: no assumption about the distribution.
 * Between the two nearest pairs of order statistics we interpolate as Hettmansperger and Sheather
 * (1986) do, so that the interval is no wider than it must be at any n. Below 6 samples no
 * pair reaches 95 %: then low and high are the extremes. n = 0: all zero. */
struct interval {
    double median, low, high;
    int n;
};
struct interval stats_interval(const double *samples, int n);

/* Are `rounds` enough? Asked only at STATS_MIN_ROUNDS and then each time the number has grown by a
 * fifth: stopping whenever an interval happens to be narrow would make intervals lie. Enough is an
 * interval within 1 % either side of its median, or, with `ratio`, a ratio whose interval is so far
 * from 1 that more rounds cannot change the verdict. */
bool stats_due(int rounds);
bool stats_settled(const struct interval *i, bool ratio);

/* For qsort of doubles. */
int stats_ascending(const void *a, const void *b);

/* What a ratio a/b says of a. `cycles` is the same ratio in SM cycles, or NULL if the clock is
 * unknown: a difference counts only if it is there in both, else clocks made it. */
enum verdict { VERDICT_SAME, VERDICT_SLOWER, VERDICT_FASTER, VERDICT_AMBIGUOUS };
enum verdict stats_verdict(const struct interval *ratio, const struct interval *cycles);
const char *stats_verdict_name(enum verdict v);

#endif
