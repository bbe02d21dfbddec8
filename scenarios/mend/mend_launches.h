/* How a person's text is launched: lines of its leading comment such as
 *
 *   // launches: fix
 *   // launch 1: grid ceildiv(n, 8); block 32, 8; shared 4 * 32 * 33
 *
 * The first takes the launches of suspect, fix or best; the second changes what it names of one of
 * them. Grid and block are formulas over the story's sizes, shared is dynamic bytes. */
#ifndef WD_SCENARIOS_MEND_LAUNCHES_H
#define WD_SCENARIOS_MEND_LAUNCHES_H

#include "scenarios/pack/story.h"

struct mend_launches {
    struct launch *launch; int n;
    struct host_list steps;             /* borrowed from the variant */
    struct formula **formula; int n_formulas;
};

/* Errors are "NAME:LINE: what; what was expected". mend_launches_free also after a failure. */
int mend_launches_read(struct mend_launches *out, const struct variant *v, const char *name,
                       const char *text, struct err *err);
void mend_launches_free(struct mend_launches *l);

/* The text with those lines behind it too, since a comparison of two texts leaves out what stands
 * above the code. malloc'd. */
char *mend_listing(const char *text);

#endif
