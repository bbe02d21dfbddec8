/* When each kernel began and ended, from CUPTI's activity records: no counter permission is needed,
 * and kernels go on running side by side. CUPTI delivers through callbacks without a context of
 * their own, so a process has at most one of these at a time. It must not be on while something is
 * timed, nor together with the range profiler or PC sampling. */
#ifndef WD_RUNNER_ACTIVITY_H
#define WD_RUNNER_ACTIVITY_H

#include <stdbool.h>

#include "kernels/runner/api.h"

struct activity;
struct activity_kernel {
    char name[96];                /* cut to fit; of a copy "" */
    bool copy;                    /* no kernel: between host and device, or to another device */
    uint32_t device;
    uint64_t start, end;          /* ns of the GPU's clock */
    uint32_t order;               /* grows from launch to launch */
};

/* Loads CUPTI. ERR_UNSUPPORTED and the like with the reason. */
int activity_new(struct activity **out, struct err *err);
void activity_free(struct activity *a);

/* From here on kernels are recorded, with `copies` these too, until _stop. */
int activity_start(struct activity *a, bool copies, struct err *err);
void activity_stop(struct activity *a);

/* Now, by the clock of the records. */
int activity_now(struct activity *a, uint64_t *ns, struct err *err);

/* Those recorded since the last call, in the order of launch; the kernels must have ended (wait for
 * the stream first). The array is the activity's own, until the next call. */
int activity_take(struct activity *a, const struct activity_kernel **out, int *n, struct err *err);

#endif
