/* Sources that must not tell one launch from another: what they compiled to is read, since a text
 * has many ways of saying it.
 *
 * Refused are memory of the module's own, which outlives a launch and could hold earlier results or
 * count launches; the heap and printing, which the device's runtime does; and registers that tell
 * the time or the launch. Constant memory stays: no kernel can write it. */
#ifndef WD_RUNNER_STATELESS_H
#define WD_RUNNER_STATELESS_H

#include "kernels/runner/build.h"

/* ERR_PERMISSION for the first that breaks it of the request's sources that are `stateless`; `p` is
 * built. */
int stateless_check(const struct build_plan *p, const struct msg_measure *m, struct err *err);

/* One PTX text, which is called `name` in the message. */
int stateless_check_ptx(const char *name, const char *ptx, struct err *err);

#endif
