/* Figures that a debrief takes from evidence. */
#ifndef WD_SCENARIOS_PACK_DEBRIEF_H
#define WD_SCENARIOS_PACK_DEBRIEF_H

#include "scenarios/pack/pack_read.h"

/* The figures that the debrief, which was found, takes from evidence. */
int read_told_figures(struct reader *r, struct variant *v);
/* Both may be NULL. */
int read_figures_of(struct reader *r, struct variant *v, const struct yaml *measured_on,
                    const struct yaml *unrecorded);

#endif
