/* A second fault of a build, as the halves of the reader ask for it. */
#ifndef WD_SCENARIOS_PACK_THEN_H
#define WD_SCENARIOS_PACK_THEN_H

#include "scenarios/pack/pack_read.h"

/* `faults` of a story whose format and level are known. */
int read_faults(struct reader *r, struct story *s, const struct yaml *y);
/* What is left when the first fault is mended; y NULL: nothing. After everything of the first. k:
 * THEN_KEYS, whose half and rest are read as the other runs are. *out is the variant's `then`, NULL
 * where it has none. */
int read_then(struct reader *r, struct variant *v, const struct yaml *y, int format,
              const struct yaml **k, struct then **out);

#endif
