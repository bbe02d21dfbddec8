/* A draft without a kernel to begin with: a small whole scenario of a kind, to be changed step by
 * step. Which there are is data: the pack scenarios/new/drafts, one variant for each cause. */
#ifndef WD_SCENARIOS_SCAFFOLD_WHOLE_H
#define WD_SCENARIOS_SCAFFOLD_WHOLE_H

#include "scenarios/new/scaffold.h"

/* Is there one: "pipeline", "harness", "case"? */
bool scaffold_whole_kind(const char *kind);

/* The kind of which a draft can have this cause; NULL: none, or no such cause. */
const char *scaffold_whole_of(const char *cause);

/* scaffold_make of such a draft. Of s counts where it goes, the title (NULL: made of the id) and,
 * unless level_guessed, the level. *cause: of the draft, NULL for any; then it receives the one
 * that was taken. Fails on a cause that no draft of the kind has, with those that there are. */
int scaffold_whole(struct files **out, const char ***made, int *n, const char **cause,
                   struct scaffold *s, const char *kind, struct err *err);

#endif
