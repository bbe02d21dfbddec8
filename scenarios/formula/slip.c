#include "scenarios/formula/slip.h"

#include <math.h>

/* Binary prefixes differ from decimal ones by little, so that they need a closer look than the
 * others. */
#define PREFIX_NEAR 1.004

struct slip { double factor; const char *says; };

static double factor_of(double a, double b)
{
    return a > b ? a / b : b / a;
}

/* The nearest of the list. */
static const struct slip *nearest(const struct slip *list, int n, double given, double truth,
                                  double near)
{
    const struct slip *best = 0;
    for (int i = 0; i < n; i++) {
        double off = factor_of(given, truth * list[i].factor);
        if (off <= near * (1 + 1e-9) && (!best || off < factor_of(given, truth * best->factor)))
            best = &list[i];
    }
    return best;
}

/* Each binary prefix for sizes that are told in it: nobody tells 270 kB in MiB. */
static const struct slip *find_prefix(double given, double truth)
{
    static const struct { double least, most; struct slip way[2]; } prefixes[] = {
        {5e2, 1e7, {{SLIP_KIBI, "KB for KiB, or the other way round: 2.4 %"},
                    {1 / SLIP_KIBI, "KB for KiB, or the other way round: 2.4 %"}}},
        {5e5, 1e10, {{1.048576, "MB for MiB, or the other way round: 4.9 %"},
                     {1 / 1.048576, "MB for MiB, or the other way round: 4.9 %"}}},
        {5e8, 1e13, {{1.073741824, "GB for GiB, or the other way round: 7.4 %"},
                     {1 / 1.073741824, "GB for GiB, or the other way round: 7.4 %"}}},
        {5e11, 1e99, {{1.099511627776, "TB for TiB, or the other way round: 10 %"},
                      {1 / 1.099511627776, "TB for TiB, or the other way round: 10 %"}}},
    };
    const struct slip *found = 0;
    for (size_t i = 0; !found && i < sizeof prefixes / sizeof *prefixes; i++)
        if (truth >= prefixes[i].least && truth < prefixes[i].most)
            found = nearest(prefixes[i].way, 2, given, truth, PREFIX_NEAR);
    return found;
}

double slip_find(double given, double truth, struct dim dim, double near, const char **says)
{
    static const struct slip bits[] = {{8, "bits for bytes: eight times too much"},
                                       {0.125, "bits for bytes: eight times too little; b is a "
                                               "bit, B a byte"}};
    static const struct slip tens[] = {{1e1, "a power of ten too much"},
                                       {1e-1, "a power of ten too little"},
                                       {1e2, "a hundred times too much"},
                                       {1e-2, "a hundred times too little"},
                                       {1e3, "a prefix too large: 1000 times"},
                                       {1e-3, "a prefix too small: 1000 times"},
                                       {1e6, "two prefixes too large: a million times"},
                                       {1e-6, "two prefixes too small: a million times"},
                                       {1e9, "three prefixes too large"},
                                       {1e-9, "three prefixes too small"}};
    static const struct slip twos[] = {{2, "a factor of two too much: both directions for one?"},
                                       {0.5,
                                        "a factor of two too little: one direction for both?"}};
    const struct slip *found = 0;
    if (dim.byte)
        found = find_prefix(given, truth);
    if (!found && dim.byte)
        found = nearest(bits, 2, given, truth, near);
    if (!found)
        found = nearest(tens, sizeof tens / sizeof *tens, given, truth, near);
    if (!found)
        found = nearest(twos, 2, given, truth, near);
    if (found)
        *says = found->says;
    return found ? truth * found->factor : 0;
}
