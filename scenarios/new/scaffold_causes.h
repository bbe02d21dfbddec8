/* What a first draft of a scenario says of each cause: how evidence would settle it, how it would
 * speak against it as a rival. */
#ifndef WD_SCENARIOS_SCAFFOLD_CAUSES_H
#define WD_SCENARIOS_SCAFFOLD_CAUSES_H

#include "scenarios/pack/pack.h"

enum { CAUSE_RIVALS = 4 };
/* What a probe may show. expect: each metric begins with '@', so that a pushback can ask it of the
 * suspect; NULL: holds once bought. */
struct cause_reading { const char *probe; enum word word; const char *expect, *because; };
struct cause {
    const char *id;
    struct cause_reading settles;                /* when it is the cause */
    struct cause_reading speaks_against;         /* when it is a rival */
    const char *remedy, *remedy_text;
    const char *rivals[CAUSE_RIVALS]; /* told apart from the cause and from one another by these
                                         readings; NULL at the end */
    const char *marks; /* words of a line that is likely to be at fault, separated by blanks */
};

/* NULL when the cause cannot be that of one kernel. */
const struct cause *cause_find(const char *id);
/* Causes of a step beside those of its kernels; NULL when it can have none such. */
const struct cause *cause_of_step(const char *id);

#endif
