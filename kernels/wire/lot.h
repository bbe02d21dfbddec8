/* What is drawn by lot and must come out the same everywhere, from a seed. */
#ifndef WD_KERNELS_LOT_H
#define WD_KERNELS_LOT_H

#include <stdint.h>

/* The next 64 bits of splitmix64 (Steele, Lea, Flood 2014), whose state is any number. */
uint64_t lot_next(uint64_t *state);
/* The next number in [0, 1), of 53 bits. */
double lot_unit(uint64_t *state);
/* The state mixed with a name, so that one seed differs from name to name (FNV-1a). */
uint64_t lot_named(uint64_t seed, const char *name);

#endif
