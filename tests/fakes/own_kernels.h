/* The runner's own kernels (kernels/runner/gpu.c names them) in C, for the fake driver: they fill
 * buffers, compare, hash and count as the device's do, and know no clock. */
#ifndef FAKE_OWN_KERNELS_H
#define FAKE_OWN_KERNELS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fakes/fake.h"

#define ARG(type, i) (*(type *)args[i])    /* of a launch */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void fill(void **args) /* f32 and f64, uniform or constant: what tests declare */
{
    char *p = ARG(char *, 0);
    int type = ARG(int, 2), kind = ARG(int, 3);
    double a = ARG(double, 4), b = ARG(double, 5);
    for (uint64_t i = 0; i < ARG(uint64_t, 1); i++) {
        uint64_t bits = mix(ARG(uint64_t, 6) + 0x9e3779b97f4a7c15u * (i + 1));
        double v = kind == 1   ? a
                   : kind == 3 ? a + (b - a) * (double)(bits >> 40) * 0x1p-24
                   : kind == 2 ? a + b * (double)i
                               : 0;
        if (type == 0)
            ((double *)p)[i] = v;
        else
            ((float *)p)[i] = (float)v;
    }
}

static double load(const void *p, int type, uint64_t i)
{
    return type == 0 ? ((const double *)p)[i] : ((const float *)p)[i];
}

static void compare(void **args)
{
    int exact = ARG(int, 5);
    uint64_t *out = ARG(uint64_t *, 9);
    for (uint64_t i = 0; i < ARG(uint64_t, 4); i++) {
        double got = load(ARG(void *, 0), ARG(int, 1), i),
               want = load(ARG(void *, 2), ARG(int, 3), i);
        double error = fabs(got - want), worst;
        int same = isnan(got) && isnan(want);
        int bad = same    ? 0
                  : exact ? got != (float)want
                          : !(error <= ARG(double, 6) * fabs(want) + ARG(double, 7));
        memcpy(&worst, &out[1], sizeof worst);
        if (error > worst)
            memcpy(&out[1], &error, sizeof error);
        out[0] += (uint64_t)bad;
        out[3] += bad && !isfinite(got);
        if (bad && i >= ARG(uint64_t, 8) && i < out[2])
            out[2] = i;
    }
}

static int64_t place(float f) /* neighbours differ by one */
{
    int32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits < 0 ? -(int64_t)(bits & 0x7fffffff) : bits;
}

static void spread(void **args) /* f32 */
{
    const float *a = ARG(float *, 0), *b = ARG(float *, 1);
    uint64_t *out = ARG(uint64_t *, 5);
    for (uint64_t i = 0; i < ARG(uint64_t, 3); i++) {
        if (!memcmp(&a[i], &b[i], sizeof *a))
            continue;
        uint64_t distance = (uint64_t)llabs(place(a[i]) - place(b[i]));
        int nans = (isnan(a[i]) != 0) + (isnan(b[i]) != 0);
        out[0]++;
        out[1] = !nans && distance > out[1] ? distance : out[1];
        out[2] += nans == 1;
        if (i >= ARG(uint64_t, 4) && i < out[3])
            out[3] = i;
    }
}

static float shared_word; /* what all of shared memory holds */

static void ruin_shared(void **args)
{
    shared_word = ARG(int, 1) == 0 ? 0 : ARG(int, 1) == 1 ? NAN : 1.5f;
}

static void hash(void **args)
{
    for (uint64_t i = 0; i < ARG(uint64_t, 1); i++)
        *ARG(uint64_t *, 2) += mix((i << 32 | ARG(unsigned *, 0)[i]) + 0x9e3779b97f4a7c15u);
}

/* What an instrumented kernel would count: at each place 10 requests of 32 lanes, 40 sectors or
 * wavefronts, 5 conflicts. Plan: count_late 1 says that the time was up. */
static void count(void **args)
{
    static const uint64_t fields[2][4] = {{8, 256, 32, 5}, {2, 64, 8, 0}};
    uint64_t *to = ARG(uint64_t *, 0);
    unsigned sites = ARG(unsigned, 1);
    for (unsigned copy = 0; copy < 2; copy++)
        for (unsigned i = 0; i < sites; i++)
            memcpy(to + (copy * sites + i) * 4, fields[copy], sizeof fields[copy]);
    to[16 * 4 * sites] = fake_number("count_late", 0) > 0;
}

#endif
