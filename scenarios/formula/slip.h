/* Slips that nobody has to write into a pack: powers of ten, bits for bytes, binary for decimal
 * prefixes (each where its size is), both directions for one. Pure. */
#ifndef WD_SCENARIOS_SLIP_H
#define WD_SCENARIOS_SLIP_H

#include "scenarios/formula/quantity.h"

/* What the slip makes of the truth, with its name in *says; 0 when none comes within `near` (a
 * factor above 1) of what was given. Both values are above 0 and of dimension `dim`. */
#define SLIP_KIBI 1.024 /* KiB over kB, which is let pass where a tolerance is let pass */

double slip_find(double given, double truth, struct dim dim, double near, const char **says);

#endif
