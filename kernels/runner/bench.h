/* How one stretch of GPU work is timed: spin kernel, clock probe, event, work, event, clock probe.
 */
#ifndef WD_RUNNER_BENCH_H
#define WD_RUNNER_BENCH_H

#include "kernels/runner/task.h"

struct bench;
struct sample {
    double seconds;  /* between the events */
    double clock_hz; /* median over the SMs; 0 when it could not be told */
    bool valid; /* false: the spin kernel gave up waiting for the host, so launch overhead got in */
};
typedef int (*bench_enqueue)(void *arg, struct err *err);

/* Allocates the flush buffer (twice L2, at least 64 MB), the spin flag and the events, once per
 * worker. */
int bench_new(struct bench **out, struct gpu *g, struct err *err);
void bench_free(struct bench *b);

/* Lines that earlier kernels marked as persisting outlast every flush: makes them ordinary. Once
 * before a measurement; devices without such lines have nothing to forget. */
void bench_forget_persisting(struct bench *b);

/* Enqueues the reading of the flush buffer, on the main stream or another. */
int bench_flush(struct bench *b, struct err *err);
int bench_flush_on(struct bench *b, cu_stream stream, struct err *err);

/* Times what `enqueue` puts on the stream. What went before (restores, a flush) is waited for
 * first. */
int bench_sample(struct bench *b, struct task *t, bench_enqueue enqueue, void *arg,
                 struct sample *out, struct err *err);

/* Seconds between two events with nothing (`empty_kernel` false) or one empty kernel between them:
 * medians, measured on first use. */
int bench_floor(struct bench *b, struct task *t, bool empty_kernel, double *out, struct err *err);

#endif
