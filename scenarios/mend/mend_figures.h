/* What the assembler says of a kernel, and what follows for an SM: all that can be known of a text
 * without a GPU. Pure. */
#ifndef WD_SCENARIOS_MEND_FIGURES_H
#define WD_SCENARIOS_MEND_FIGURES_H

#include "scenarios/evidence/request.h"

struct mend_figures { int registers, stack, spill_stores, spill_loads, shared; }; /* bytes */

/* From ptxas's words ("Used 21 registers, ... 4224 bytes smem"); false: it says nothing of this
 * kernel. */
bool mend_figures_read(struct mend_figures *out, const char *log, const char *kernel);

/* Share of an SM's warps that may be resident with blocks of so many threads and so much dynamic
 * shared memory, and in *limit what is full first; below 0: the device tells too little. */
double mend_occupancy(const char **limit, const struct mend_figures *f, const struct msg_launch *l,
                      const struct msg_device *device);

#endif
