/* The host's side of a run that does more than launch: each step is the driver call that a program
 * would make there, and the time of the step is that of the host's clock, from its first call until
 * nothing runs any more. */
#ifndef WD_RUNNER_HOSTED_H
#define WD_RUNNER_HOSTED_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/task.h"

struct hosted;

/* Makes what the steps need: graphs that are kept, and host memory with what the buffers that are
 * copied hold before a run. A run without steps of its own has its launches. They run once, which
 * tells what faults or never ends; the buffers are to be restored after it. What runs on several
 * ranks is not run: alone it would never end. Task, plan and buffers must outlive it. ERR_TOO_LARGE
 * beyond 4 GiB of host memory; then *out is NULL. */
int hosted_new(struct hosted **out, struct task *t, const struct msg_run *run, const struct plan *p,
               struct buffers *b, struct err *err);
void hosted_free(struct hosted *h); /* nothing happens on the device when it is lost */

/* The host's memory has again what the buffers hold that are copied to the device: where these were
 * filled with other inputs. */
int hosted_refresh(struct hosted *h, struct err *err);

int hosted_steps(const struct hosted *h);
const struct msg_step *hosted_at(const struct hosted *h, int step);

/* Nanoseconds of the clock by which steps are timed. */
uint64_t hosted_now(void);

/* All steps that this rank does, then a wait for the device, which must be idle before. calls: from
 * where to where each step took, CAP_STEPS and the wait behind them; may be NULL. */
struct hosted_call { uint64_t start, end; /* ns */ };
int hosted_step(struct hosted *h, struct hosted_call *calls, struct err *err);

#endif
