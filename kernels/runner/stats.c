#include "kernels/runner/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_BAND 1.02      /* an interval within this factor of 1 is "same" */
#define PRECISE 0.01        /* half an interval over its median */
#define FAR 3.0             /* interval widths between the interval and 1 */
/* We look several times and stop when an interval is narrow enough, which costs 1 to 3 % of
 * coverage in simulation (tests/kernels/runner/stats_test.c): aim higher, so that 95 % remain. */
#define CONFIDENCE 0.96

int stats_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* P(Binomial(n, 1/2) = i) */
static double binomial(int n, int i)
{
    return exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) - n * log(2.0));
}

/* The k-th smallest and the k-th largest of n samples enclose the median with the probability
 * 1 - 2 P(Binomial(n, 1/2) < k); `tail` is that of k, `next` that of k + 1. */
static void enclose(struct interval *out, const double *x, int n)
{
    int k = 1;
    double tail = binomial(n, 0), next = tail + binomial(n, 1);
    while (2 * (k + 1) <= n && 1 - 2 * next >= CONFIDENCE) {
        tail = next;
        next += binomial(n, ++k);
    }
    double wide = 1 - 2 * tail, narrow = 1 - 2 * next, share = 0;
    if (wide > CONFIDENCE && 2 * (k + 1) <= n) {
        double i = (wide - CONFIDENCE) / (wide - narrow);
        share = (n - k) * i / (k + (n - 2 * k) * i);
    }
    out->low = (1 - share) * x[k - 1] + share * x[2 * (k + 1) <= n ? k : k - 1];
    out->high = (1 - share) * x[n - k] + share * x[2 * (k + 1) <= n ? n - k - 1 : n - k];
}

struct interval stats_interval(const double *samples, int n)
{
    struct interval out = {0, 0, 0, n};
    if (n <= 0)
        return out;
    double *x = malloc((size_t)n * sizeof *x);
    if (!x)
        abort();
    memcpy(x, samples, (size_t)n * sizeof *x);
    qsort(x, (size_t)n, sizeof *x, stats_ascending);
    out.median = n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
    enclose(&out, x, n);
    free(x);
    return out;
}

bool stats_due(int rounds)
{
    for (int due = STATS_MIN_ROUNDS; due <= rounds; due += due / 5)
        if (due == rounds)
            return true;
    return false;
}

bool stats_settled(const struct interval *i, bool ratio)
{
    double width = i->high - i->low;
    if (i->n < STATS_MIN_ROUNDS || !(i->median > 0))
        return false;
    if (width <= 2 * PRECISE * i->median)
        return true;
    return ratio && (i->low - 1 > FAR * width || 1 - i->high > FAR * width);
}

static bool above_one(const struct interval *i)
{
    return i->low > 1;
}

static bool below_one(const struct interval *i)
{
    return i->high < 1;
}

enum verdict stats_verdict(const struct interval *ratio, const struct interval *cycles)
{
    if (ratio->n < 6)
        return VERDICT_AMBIGUOUS;
    if (ratio->low >= 1 / SAME_BAND && ratio->high <= SAME_BAND)
        return VERDICT_SAME;
    if (above_one(ratio) && (!cycles || above_one(cycles)))
        return VERDICT_SLOWER;
    if (below_one(ratio) && (!cycles || below_one(cycles)))
        return VERDICT_FASTER;
    return VERDICT_AMBIGUOUS;
}

const char *stats_verdict_name(enum verdict v)
{
    static const char *const names[] = {"same", "slower", "faster", "ambiguous"};
    return names[v];
}
