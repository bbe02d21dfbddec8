#include "drills/progress/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* Student's t, two-sided 95 %, by degrees of freedom; above 30 the expansion around the normal
 * quantile z (Abramowitz and Stegun 26.7.5, two terms) is right to 0.0002. */
static double t_quantile(int df)
{
    static const double table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                   2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                   2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                                   2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    const double z = 1.959964;
    const double z3 = z * z * z, z5 = z3 * z * z;
    return df <= 30 ? table[df]
                    : z + (z3 + z) / (4.0 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96.0 * df * df);
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

void standing_groups(struct standing_group *groups, int n_groups, const struct standing_look *looks,
                     int n_looks)
{
    for (int i = 0; i < n_groups; i++)
        sum_up(&groups[i], looks, n_looks);
}

void standing_wilson(double *low, double *high, int right, int n)
{
    const double z = 1.959964;
    *low = 0;
    *high = 1;
    if (n <= 0)
        return;
    double p = (double)right / n, square = z * z / n;
    double middle = (p + square / 2) / (1 + square),
           half = z * sqrt(p * (1 - p) / n + square / n / 4) / (1 + square);
    *low = right == 0 ? 0 : fmax(0, middle - half);
    *high = right == n ? 1 : fmin(1, middle + half);
}

/* ---- what was said against what was right ---- */

/* What lies on an edge belongs to the bin above it. */
static int bin_of(double said, const double *upper, int n_bins)
{
    int bin = 0;
    while (bin < n_bins - 1 && said >= upper[bin])
        bin++;
    return bin;
}

static void bins_fill(struct standing_bin *bins, const double *upper, int n_bins,
                      const struct standing_said *said, int n)
{
    memset(bins, 0, (size_t)n_bins * sizeof *bins);
    for (int i = 0; i < n; i++) {
        struct standing_bin *b = &bins[bin_of(said[i].said, upper, n_bins)];
        b->n++;
        b->said += said[i].said;
        b->right += said[i].right;
    }
    for (int i = 0; i < n_bins; i++) {
        struct standing_bin *b = &bins[i];
        b->ranged = b->n >= 3;
        if (b->ranged)
            standing_wilson(&b->low, &b->high, (int)b->right, b->n);
        if (b->n) {
            b->said /= b->n;
            b->right /= b->n;
        }
    }
}

void standing_calibrate(struct standing_bin bins[STANDING_BINS], const struct standing_said *said,
                        int n)
{
    static const double upper[STANDING_BINS - 1] = {0.1, 0.3, 0.5, 0.7, 0.9};
    bins_fill(bins, upper, STANDING_BINS, said, n);
}

void standing_calibrate_stated(struct standing_bin bins[STANDING_STATED],
                               const struct standing_said *said, int n)
{
    static const double upper[STANDING_STATED - 1] = {0.55, 0.65, 0.75, 0.85, 0.925};
    bins_fill(bins, upper, STANDING_STATED, said, n);
}

/* ---- shares, factors, slips ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double standing_median(const double *factors, int n)
{
    double *sorted = mem_new((size_t)n + 1, sizeof *sorted);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (factors[i] > 0)
            sorted[kept++] = factors[i];
    qsort(sorted, (size_t)kept, sizeof *sorted, by_value);
    /* Of two in the middle the geometric mean, since factors multiply. */
    double median = kept == 0 ? 0 : sqrt(sorted[(kept - 1) / 2] * sorted[kept / 2]);
    free(sorted);
    return median;
}

static void share_fill(struct standing_share *g, const struct standing_try *tries, int n_tries)
{
    double *factors = mem_new((size_t)n_tries + 1, sizeof *factors);
    *g = (struct standing_share){.group = g->group};
    for (int i = 0; i < n_tries; i++)
        if (!strcmp(tries[i].group, g->group)) {
            g->n += tries[i].n;
            g->right += tries[i].right;
            if (tries[i].factor > 0)
                factors[g->estimates++] = tries[i].factor;
        }
    g->share = g->n ? (double)g->right / g->n : 0;
    g->ranged = g->n >= 3;
    g->low = g->high = g->share;
    if (g->ranged)
        standing_wilson(&g->low, &g->high, g->right, g->n);
    g->factor = standing_median(factors, g->estimates);
    free(factors);
}

void standing_shares(struct standing_share *groups, int n_groups, const struct standing_try *tries,
                     int n_tries)
{
    for (int i = 0; i < n_groups; i++)
        share_fill(&groups[i], tries, n_tries);
}

/* Texts of one mistake differ by the numbers of their instance. */
static int compare_slips(const char *a, const char *b)
{
    static const char numbers[] = "0123456789.,";
    for (;; a++, b++) {
        a += strspn(a, numbers);
        b += strspn(b, numbers);
        if (*a != *b || *a == '\0')
            return (unsigned char)*a - (unsigned char)*b;
    }
}

static int by_name(const void *a, const void *b)
{
    return compare_slips(*(const char *const *)a, *(const char *const *)b);
}

static int by_count(const void *a, const void *b)
{
    const struct standing_slip *x = a, *y = b;
    return x->n != y->n ? y->n - x->n : strcmp(x->slip, y->slip);
}

int standing_slips(struct standing_slip *out, int most, const struct standing_try *tries,
                   int n_tries)
{
    const char **names = mem_new((size_t)n_tries + 1, sizeof *names);
    struct standing_slip *all = mem_new((size_t)n_tries + 1, sizeof *all);
    int n = 0, kinds = 0;
    for (int i = 0; i < n_tries; i++)
        if (tries[i].slip && *tries[i].slip)
            names[n++] = tries[i].slip;
    qsort(names, (size_t)n, sizeof *names, by_name);
    for (int i = 0; i < n; i++) {
        if (i == 0 || compare_slips(names[i], names[i - 1]) != 0)
            all[kinds++] = (struct standing_slip){names[i], 0};
        all[kinds - 1].n++;
    }
    qsort(all, (size_t)kinds, sizeof *all, by_count);
    kinds = kinds < most ? kinds : most;
    for (int i = 0; i < kinds; i++)
        out[i] = all[i];
    free(all);
    free(names);
    return kinds;
}

/* ---- a year ---- */

void standing_heat(struct standing_heat *out, int today, const struct standing_done *done, int n)
{
    /* 1970-01-01 was a Thursday. */
    int weekday = ((today + 3) % 7 + 7) % 7;
    *out = (struct standing_heat){.first_day = today - weekday - 7 * (STANDING_WEEKS - 1)};
    int *count = &out->count[0][0];
    for (int i = 0; i < n; i++)
        if (done[i].day >= out->first_day && done[i].day <= today)
            count[done[i].day - out->first_day] += done[i].count;
    for (int i = 0; i < STANDING_WEEKS * 7; i++) {
        if (out->first_day + i > today)
            count[i] = -1;
        else {
            out->days += count[i] > 0;
            out->total += count[i];
            out->most = count[i] > out->most ? count[i] : out->most;
        }
    }
}
