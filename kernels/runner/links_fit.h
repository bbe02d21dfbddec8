/* alpha and beta of an all-reduce, from what it took at several sizes. */
#ifndef WD_RUNNER_LINKS_FIT_H
#define WD_RUNNER_LINKS_FIT_H

#include "kernels/wire/links.h"

/* Least squares of (alpha + bytes / beta) / seconds - 1 over the points of `s`, into its alpha,
 * beta and residual. Absolute errors would be those of the largest message alone. False, and all
 * three 0: there are fewer than two sizes, or the times do not grow with them from something above
 * 0. */
bool links_fit(struct link_sum *s);

#endif
