/* What benches share: a clock, and a distribution beside the bound that we aim at. */
#ifndef WD_TESTS_BENCH_H
#define WD_TESTS_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the n times and prints them as one line. */
static inline void show(const char *what, double *ms, int n, const char *aim)
{
    qsort(ms, (size_t)n, sizeof *ms, by_size);
    printf("%-46s %4d times; p50 %.2f ms, p90 %.2f, p99 %.2f, most %.2f   (aim: %s)\n", what, n,
           ms[n / 2], ms[n * 9 / 10], ms[n * 99 / 100], ms[n - 1], aim);
}

#endif
