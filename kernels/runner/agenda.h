/* In which order a request's items are measured, and what is left of it for another worker when a
 * kernel was stopped by the hardware: the context is lost then, and the process with it. */
#ifndef WD_RUNNER_AGENDA_H
#define WD_RUNNER_AGENDA_H

#include <jansson.h>

#include "kernels/runner/task.h"

struct agenda {
    bool done[CAP_ITEMS];
};

/* `rest`: what an earlier worker left (agenda_rest), or NULL; also what it knew of the request goes
 * into the task. */
void agenda_begin(struct agenda *a, struct task *t, const json_t *rest);

/* The next item, or -1. In the order asked, but later those that need CUPTI, which must not be
 * loaded while others time, then those that run in a process of their own, and last those whose
 * kernels may fault. */
int agenda_next(const struct agenda *a, const struct msg_measure *m);

/* Counts an item as measured, unless its task says that runs of it are left. */
void agenda_tick(struct agenda *a, struct task *t, int item);

/* New reference; NULL when nothing is left. */
json_t *agenda_rest(const struct agenda *a, const struct task *t);

#endif
