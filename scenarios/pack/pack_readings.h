/* How evidence bears on hypotheses, and what an interviewer objects. */
#ifndef WD_SCENARIOS_PACK_READINGS_H
#define WD_SCENARIOS_PACK_READINGS_H

#include "scenarios/pack/pack_read.h"

int read_readings(struct reader *r, struct variant *v, const struct yaml *y);
int read_pushbacks(struct reader *r, struct variant *v, const struct yaml *y);

#endif
