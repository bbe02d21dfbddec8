/* The figures of a purchase that decide, the most telling first: for wherever few fit, as in
 * reports and among the console's moves. */
#ifndef WD_SCENARIOS_HEADLINE_H
#define WD_SCENARIOS_HEADLINE_H

#include "scenarios/evidence/evidence.h"

struct headline {
    char label[64];      /* "sectors per store request", of a step its own: "n 4096" */
    char brief[64];      /* the same in a word or two, beside the probe's letter: "stores" */
    char value[80];      /* "32", "537 MB (1.02 x the compelled)" */
};

/* What the suspect showed, at most `most`; returns how many (0: texts alone, or nothing). Of stalls
 * and pipes the largest, of findings what is wrong, before what is the same in every list of its
 * probe; of a sweep steps from the first to the last. device may be NULL: then nothing is held
 * against a roof. `probe`: the name under which it was bought. */
int headlines_of(struct headline *out, int most, const struct variant *v, const char *probe,
                 const struct evidence *e, const struct msg_device *device);

/* Does a metric count what is wrong with a result, so that anything above 0 is bad? */
bool headline_is_wrong(const char *metric);

#endif
