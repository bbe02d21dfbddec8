/* A source in whose place an image may run. For the pack's reader alone. */
#ifndef WD_SCENARIOS_PACK_IMAGE_H
#define WD_SCENARIOS_PACK_IMAGE_H

#include "scenarios/pack/pack_read.h"

/* check_source of a text that is compiled. Of one with an image: do hashes, target, kernels,
 * arguments (by number and size) and blocks fit, has the story no macros, and does the PTX reach
 * nothing outside? 0, or an error with the place. Of `s` buffers and macros are known by then. */
int read_source(struct reader *r, const struct file *f, const struct story *s,
                const struct yaml *launches);

#endif
