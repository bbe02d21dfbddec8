/* Where a person stands: mean score of first looks per group of causes, share right per topic and
 * per cause, how far estimates are off, the most frequent slips, how far what they said agrees with
 * how often they were right, and a year of study days. Pure.
 *
 * Shares carry Wilson's 95 % interval; under three there is none. Looks of one person are taken as
 * independent, which they are not quite: the intervals are rather too narrow. standing_load.h
 * gathers all of this from the store. */
#ifndef WD_DRILLS_STANDING_H
#define WD_DRILLS_STANDING_H

#include <stdbool.h>

/* One finished first look. The group is that of the truth, so it is known after the debrief only.
 */
struct standing_look {
    const char *group;
    double score;      /* of 100; may be below 0 */
};

struct standing_group {
    const char *group; /* set by the caller: the rows of the screen, in its order */
    int n;
    double mean;       /* 0..100 as shown; 0 when n is 0 */
    bool ranged;       /* false: under three looks, no range at all */
    double low, high;  /* 95 % interval of the mean (Student's t), 0..100 */
};

/* Fills n, mean and range of each group. Looks of a group that is not among them are left out. */
void standing_groups(struct standing_group *groups, int n_groups, const struct standing_look *looks,
                     int n_looks);

/* One belief held at the end against what turned out. */
struct standing_said {
    double said;       /* 0..1 */
    bool right;
};

enum { STANDING_BINS = 6 }; /* 0 to 10, to 30, to 50, to 70, to 90, to 100 % */
struct standing_bin {
    int n;
    double said,
        right; /* 0..1: the mean of what was said, the share that was right; 0 when n is 0 */
    bool ranged; double low, high; /* interval of right, 0..1; under three: none */
};
void standing_calibrate(struct standing_bin bins[STANDING_BINS], const struct standing_said *said,
                        int n);

/* Answers given as intervals, by the confidence stated: about 50, 60, 70, 80, 90, 95 and more %.
 * The same bins otherwise; right: it held the truth. */
enum { STANDING_STATED = 6 };
void standing_calibrate_stated(struct standing_bin bins[STANDING_STATED],
                               const struct standing_said *said, int n);

/* Wilson's 95 % interval of a share, 0..1; 0 to 1 when n is 0. */
void standing_wilson(double *low, double *high, int right, int n);

/* Tries at one thing. */
struct standing_try {
    const char *group;
    int n, right;
    double factor;      /* of one estimate: max(x/t, t/x); 0: none */
    const char *slip;   /* its named mistake, NULL or "": none */
};
struct standing_share {
    const char *group;  /* set by the caller */
    int n, right;
    double share;       /* 0..1; 0 when n is 0 */
    bool ranged;        /* false: under three, no interval */
    double low, high;
    int estimates;      /* that have a factor */
    double factor;      /* their median; 0: none */
};
/* Fills the rest of each group. Tries of a group that is not among them are left out. */
void standing_shares(struct standing_share *groups, int n_groups, const struct standing_try *tries,
                     int n_tries);

/* The most frequent slips, most often first, then by name; returns how many. Texts that differ in
 * numbers alone are one; the names are the tries'. */
struct standing_slip { const char *slip; int n; };
int standing_slips(struct standing_slip *out, int most, const struct standing_try *tries,
                   int n_tries);

/* Median of factors above 0; 0 when there is none. */
double standing_median(const double *factors, int n);

/* A year as columns of weeks, Monday first: the last column holds `today`. Days after today are -1.
 */
enum { STANDING_WEEKS = 53 };
struct standing_heat {
    int count[STANDING_WEEKS][7];
    int first_day;
    int days, most, total;
}; /* days: with at least one; first_day: of [0][0] */
struct standing_done { int day, count; };   /* of one study day; a day may come more than once */
void standing_heat(struct standing_heat *out, int today, const struct standing_done *done, int n);

#endif
