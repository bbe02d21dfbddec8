#include "kernels/wire/lot.h"

uint64_t lot_next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double lot_unit(uint64_t *state)
{
    return (double)(lot_next(state) >> 11) * 0x1p-53;
}

uint64_t lot_named(uint64_t seed, const char *name)
{
    uint64_t state = seed;
    for (const char *c = name; *c; c++)
        state = (state ^ (unsigned char)*c) * 0x100000001b3u;
    lot_next(&state);
    return state;
}
