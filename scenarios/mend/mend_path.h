/* What there is for the hand, the easiest first: all that was diagnosed and can be mended, with how
 * far one is with each, and all that is to be written from nothing. */
#ifndef WD_SCENARIOS_MEND_PATH_H
#define WD_SCENARIOS_MEND_PATH_H

#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_kept.h"

struct mend_station {
    const struct variant *v;   /* of the catalog */
    int tries;                 /* that were judged */
    bool done;
    char words[160];           /* mend_score_words; "not begun" */
};
struct mend_path { struct mend_station *all; int n; };

/* By level, then as the catalog has them. Freed by mend_path_free also after a failure. */
int mend_path_read(struct mend_path *out, const struct catalog *c, struct store *s,
                   struct err *err);
void mend_path_free(struct mend_path *p);
/* Which is suggested: the first that is not done; -1: none. */
int mend_path_next(const struct mend_path *p);
/* All stories with a kernel to be written: those that are nothing else first, then by level.
 * Returns how many; *out is freed by the caller. */
int mend_tasks(const struct story ***out, const struct catalog *c);
json_t *mend_path_encode(const struct mend_path *p); /* new reference */

#endif
