/* Interval answers ("4 to 6 ms, 80 %") and their proper rule. Pure. */
#ifndef WD_DRILLS_INTERVAL_H
#define WD_DRILLS_INTERVAL_H

#include <stdbool.h>

/* The interval score of Winkler (1972; Gneiting and Raftery 2007, eq. 43) in natural logarithms:
 * ln(high/low), plus 2/(1-c) times the distance by which the truth lies outside. Honest quantiles
 * minimise its expectation. All values above 0, 0 < c < 1. */
double interval_loss(double low, double high, double confidence, double truth);

/* The most that an interval can lose, however wrong its unit was. Skipping gives 0. Without the
 * floor the rule is proper; with it, for a belief that is normal in the logarithm and 50 to 90 %,
 * honest quantiles that are worth more than skipping come within 0.08 of the best that playing
 * against the floor could bring, and where they are worth less, playing brings at most 0.05. A
 * floor of 0 would pay blind narrow guesses up to 0.3. Tests work this out. */
#define INTERVAL_FLOOR (-1.0)

/* As points: 1 for a point that is right, 0 for an interval of a factor of ten that holds the
 * truth, below 0 for worse, down to the floor. */
double interval_points(double low, double high, double confidence, double truth);

/* Reads "4 to 6 ms, 80 %", "4-6 ms 80%", "between 4 and 6 ms", "4..6 ms @ 90 %". false: this is no
 * interval, read it as one number. `low` and `high` receive texts with their unit, for
 * quantity_read; *confidence stays 0 where none is given, and is -1 where it is not between 0 and
 * 100 %. */
bool interval_split(const char *typed, char *low, char *high, int size, double *confidence);
#define INTERVAL_CONFIDENCE 0.8 /* taken where none is given */

#endif
