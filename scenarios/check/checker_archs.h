/* Architectures that a story's kernels are compiled for. A set of them is bits over a list. */
#ifndef WD_SCENARIOS_CHECKER_ARCHS_H
#define WD_SCENARIOS_CHECKER_ARCHS_H

#include "kernels/wire/message_device.h"
#include "scenarios/pack/pack.h"

enum { ARCHS_MOST = 8 };

struct archs { int list[ARCHS_MOST], n; }; /* ascending: 75, 80, ... */

/* Those of GPUs in use, from what the story needs on (by its sizes on `device`); that itself, where
 * it is newer than all of them or claimed alone. */
void archs_choose(struct archs *out, const struct story *s, const struct msg_device *device);
int archs_of(const struct msg_device *device); /* 90; 0: it does not say */

unsigned archs_bit(const struct archs *a, int arch); /* 0: not in the list */
unsigned archs_all(const struct archs *a);
/* The oldest, the newest, and `own`, of those that are known: an architecture keeps what older ones
 * have, so these stand on both sides of what one has and another lacks. */
unsigned archs_outer(unsigned known, unsigned own);
/* The oldest of the good ones, when all the bad ones are older than any of them; 0 otherwise. */
int archs_first_without(const struct archs *a, unsigned bad, unsigned tried);
/* "sm_75, sm_80 and sm_86", or "sm_75 to sm_120" for all that were tried. The caller frees it. */
char *archs_name(const struct archs *a, unsigned these, unsigned tried);

#endif
