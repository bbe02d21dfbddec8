/* What a case has in the place of code. */
#ifndef WD_SCENARIOS_PACK_CASE_H
#define WD_SCENARIOS_PACK_CASE_H

#include "scenarios/pack/pack_read.h"

/* Is `kind: case` written there? Before the keys are looked at, since a case has others. */
bool says_case(const struct yaml *root);
/* The values of `subset`'s keys at the places that keys of the same name have in `whole`; the
 * others become NULL. */
void spread_keys(const struct yaml *const *from, const struct yaml_shape *subset,
                 const struct yaml **to, const struct yaml_shape *whole);
/* What a case has in the place of buffers, launches and experiments; k: CASE_KEYS. After its
 * parameters. */
int read_case(struct reader *r, struct story *s, const struct yaml *const *k);

/* Its number from 1. */
int find_place(struct reader *r, const struct yaml *y, const struct story *s, int *line);

#endif
