/* What prose may say of a variant on one recording: everything that was measured of suspect, fix
 * and best, and what follows from it in one step. */
#ifndef WD_SCENARIOS_PROSE_POOL_H
#define WD_SCENARIOS_PROSE_POOL_H

#include "scenarios/check/checker_bought.h"
#include "scenarios/check/prose_figures.h"

struct pool_value { double value; enum figure_kind kind; struct dim dim; };
struct pool { struct pool_value *all; int n; };

/* Times, counters, ceilings, sizes; bytes over time and time for bytes, cycles over the clock;
 * factors and shares between suspect, fix and best, and between steps of one experiment. */
void pool_fill(struct pool *out, const struct bought *b);
void pool_free(struct pool *p);
bool pool_has(const struct pool *p, const struct figure_said *f);

#endif
