/* Images of a request, held against its launches before anything runs: what a driver would take as
 * it comes, and crash on. */
#ifndef WD_RUNNER_GIVEN_H
#define WD_RUNNER_GIVEN_H

#include "kernels/wire/err.h"
#include "kernels/wire/message_measure.h"

/* Is every image whole and closed in itself (kernels/wire/ptx_scan.h)? Does each launch of it name
 * a kernel that it has, with as many arguments, each of its parameter's size, and blocks of the
 * size that it was compiled for? Is no macro asked for, which would reach none? ERR_BAD_REQUEST
 * names the source and what was expected. */
int given_check(const struct msg_measure *m, struct err *err);

/* Does every image, which given_check took, run on a GPU of this architecture (90 for 9.0)?
 * ERR_UNSUPPORTED names the one that does not. */
int given_reaches(const struct msg_measure *m, int arch, struct err *err);

#endif
