/* Where a person stands: mean score of first looks per group of causes, and how far what they said
 * agrees with how often they were right. Pure. */
#ifndef WD_DRILLS_STANDING_H
#define WD_DRILLS_STANDING_H

#include <stdbool.h>

/* One finished first look. The group is that of the truth, so it is known after the debrief only. */
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
void standing_groups(struct standing_group *groups, int n_groups, const struct standing_look *looks, int n_looks);

/* One belief held at the end against what turned out. */
struct standing_said {
    double said;       /* 0..1 */
    bool right;
};

enum { STANDING_BINS = 6 }; /* 0 to 10, to 30, to 50, to 70, to 90, to 100 % */
struct standing_bin {
    int n;
    double said, right; /* 0..1: the mean of what was said, the share that was right; 0 when n is 0 */
};
void standing_calibrate(struct standing_bin bins[STANDING_BINS], const struct standing_said *said, int n);

#endif
