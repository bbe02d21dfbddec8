#include "drills/standing.h"

#include <math.h>
#include <string.h>

/* Student's t, two-sided 95 %, by degrees of freedom; above 30 the expansion around the normal
 * quantile z (Abramowitz and Stegun 26.7.5, two terms) is right to 0.0002. */
static double t_quantile(int df)
{
    static const double table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
                                   2.074, 2.069,  2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    const double z = 1.959964;
    const double z3 = z * z * z, z5 = z3 * z * z;
    return df <= 30 ? table[df] : z + (z3 + z) / (4.0 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96.0 * df * df);
}

static double clip(double x)
{
    return x < 0 ? 0 : x > 100 ? 100 : x;
}

static void sum_up(struct standing_group *g, const struct standing_look *looks, int n_looks)
{
    double sum = 0, squares = 0;
    g->n = 0;
    for (int i = 0; i < n_looks; i++)
        if (strcmp(looks[i].group, g->group) == 0) {
            g->n++;
            sum += looks[i].score;
        }
    double mean = g->n ? sum / g->n : 0;
    for (int i = 0; i < n_looks; i++)
        if (strcmp(looks[i].group, g->group) == 0)
            squares += (looks[i].score - mean) * (looks[i].score - mean);

    g->mean = clip(mean);
    g->ranged = g->n >= 3;
    g->low = g->high = g->mean;
    if (g->ranged) {
        double half = t_quantile(g->n - 1) * sqrt(squares / (g->n - 1) / g->n);
        g->low = clip(mean - half);
        g->high = clip(mean + half);
    }
}

void standing_groups(struct standing_group *groups, int n_groups, const struct standing_look *looks, int n_looks)
{
    for (int i = 0; i < n_groups; i++)
        sum_up(&groups[i], looks, n_looks);
}

/* A belief on an edge belongs to the bin above it. */
static int bin_of(double said)
{
    static const double upper[STANDING_BINS - 1] = {0.1, 0.3, 0.5, 0.7, 0.9};
    int bin = 0;
    while (bin < STANDING_BINS - 1 && said >= upper[bin])
        bin++;
    return bin;
}

void standing_calibrate(struct standing_bin bins[STANDING_BINS], const struct standing_said *said, int n)
{
    memset(bins, 0, STANDING_BINS * sizeof *bins);
    for (int i = 0; i < n; i++) {
        struct standing_bin *b = &bins[bin_of(said[i].said)];
        b->n++;
        b->said += said[i].said;
        b->right += said[i].right;
    }
    for (int i = 0; i < STANDING_BINS; i++)
        if (bins[i].n) {
            bins[i].said /= bins[i].n;
            bins[i].right /= bins[i].n;
        }
}
