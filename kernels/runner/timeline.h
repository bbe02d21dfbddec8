/* The timeline probe: when each kernel of a step began and ended.
 *
 * The step runs several times, each time from restored buffers and a cold L2 and behind a spinning
 * kernel, so that launch overhead stays outside; the one whose length is the median is told. Times
 * come from CUPTI's activity records, else from events around each launch, which charge each kernel
 * with about one event's floor; the notes say which.
 *
 * A run with steps of the host (hosted.h) is told from its first step until nothing runs, launch
 * overhead and all, with when each step's call began and ended; it needs CUPTI, whose clock both
 * sides share. */
#ifndef WD_RUNNER_TIMELINE_H
#define WD_RUNNER_TIMELINE_H

#include "kernels/runner/activity.h"
#include "kernels/runner/bench.h"
#include "kernels/runner/buffers.h"

struct timeline;

/* Never NULL. CUPTI is loaded on first use. */
struct timeline *timeline_new(void);
void timeline_free(struct timeline *tl);
/* CUPTI's records, loaded if need be; NULL with the reason where they cannot be had. */
struct activity *timeline_activity(struct timeline *tl, struct err *why);

/* Measures one run and sends its part. CUPTI records only meanwhile. */
int timeline_measure(struct timeline *tl, struct task *task, struct bench *b, struct buffers *base,
                     const struct msg_item *item, const char *run, struct err *err);

/* Time in which at least one of n spans runs, and the longest in which none does between 0 and the
 * end of the step. Pure. */
struct span {
    double start, end; /* s */
};
double timeline_busy(const struct span *spans, int n);
double timeline_gap(const struct span *spans, int n, double length);

#endif
