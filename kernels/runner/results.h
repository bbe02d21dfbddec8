/* What the outputs of one shape hold after a run: compared with the truth, or bit by bit with what
 * an earlier run left. Shared by the probes that look at results. All wait for the stream. */
#ifndef WD_RUNNER_RESULTS_H
#define WD_RUNNER_RESULTS_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/task.h"

struct results {
    struct task *task;
    const struct msg_shape *shape;
    struct buffers *work, *truth; /* truth: NULL until results_truth */
    uint64_t seed;                /* of the inputs that `work` has; the request's at first */
    cu_ptr kept[CAP_BUFFERS];     /* one copy of each output */
};

/* Of the outputs against the truth: elements beyond the tolerance; of these, not finite by mistake.
 */
struct findings { uint64_t wrong, compared, not_finite; double max_error; };

/* Of the outputs against the kept copy: elements whose bits differ, the largest distance in units
 * of the last place (integers: plain), pairs of which one is NaN. */
struct spread { uint64_t differing, ulp, nan; };

/* `work` stays the caller's. Close also after a failure. */
int results_open(struct results *r, struct task *t, const struct msg_item *item,
                 struct buffers *work, struct err *err);
void results_close(struct results *r);

/* Runs item->against once on buffers of its own. Needed by compare, compare_with and list_wrong. */
int results_truth(struct results *r, const struct msg_item *item, struct err *err);
/* The same, but the task keeps what it gave: the next item of this variant and these inputs finds it
 * there. */
int results_kept_truth(struct results *r, const struct msg_item *item, struct err *err);
/* Frees that, for whoever needs the room. Returns whether there was anything. */
bool results_forget_truth(struct task *t);

/* Adds to *f what is found in all outputs, or in `x` standing for output `buffer`. */
int results_compare(struct results *r, struct findings *f, struct err *err);
int results_compare_with(struct results *r, int buffer, cu_ptr x, struct findings *f,
                         struct err *err);

int results_keep(struct results *r, struct err *err);
int results_spread(struct results *r, struct spread *out, struct err *err);

/* Elements that are further from the kept ones than two right results may be from each other. */
int results_beyond(struct results *r, uint64_t *out, struct err *err);

/* The first elements that are wrong, or that differ from the kept ones, as lines of a part that has
 * few: of those that differ the ones that results_beyond counts, as long as there are any. */
int results_list_wrong(struct results *r, struct msg_part *p, struct err *err);
int results_list_spread(struct results *r, struct msg_part *p, const char *now, const char *kept,
                        struct err *err);

/* How many inputs changed since the first call, which only remembers them. */
int results_inputs_changed(struct results *r, int *changed, struct err *err);

#endif
