/* How often causes are true among openings that are alike in something. Totals over all stories are
 * counted once; what hidden stories have put into them is taken out when somebody asks. */
#ifndef WD_SCENARIOS_LIBRARY_CENSUS_H
#define WD_SCENARIOS_LIBRARY_CENSUS_H

#include "scenarios/check/library_openings.h"

struct tally { double n, true_; };    /* whole numbers, so that taking out is exact */

/* What an opening is sorted by; equal numbers are alike. */
typedef double sort_fn(const struct opening *one);

struct census;
/* Borrows the openings. */
struct census *census_new(const struct openings *o, sort_fn *sort);
void census_free(struct census *c);
/* Of the openings that are like this one and not hidden: those that offer the cause (a rank), and
 * those where it is true. */
struct tally census_count(const struct census *c, const struct hidden *hidden,
                          const struct opening *like, int cause);

#endif
