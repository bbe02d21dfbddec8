/* The streams beside the main one on which a step's launches run. What is put on them starts after
 * everything that the main stream holds at the fork, and the main stream goes on after the join, so
 * that whoever looks at the main stream alone (events, waits, restores) sees one step. They live as
 * long as the worker. Every driver failure is passed on. */
#ifndef WD_RUNNER_LANES_H
#define WD_RUNNER_LANES_H

#include "kernels/runner/gpu.h"

/* Makes what a step needs, before anything is enqueued: making a stream may wait for the kernels
 * that run. Bit s of `streams` stands for stream s, 0 being the main one; bit k of `awaited` for
 * launch k. */
int lanes_prepare(struct gpu *g, unsigned streams, uint64_t awaited, struct err *err);

/* Stream 0 needs neither; its bit is ignored. */
int lanes_fork(struct gpu *g, unsigned streams, struct err *err);
int lanes_join(struct gpu *g, unsigned streams, struct err *err);

/* Stream 0, or one that was forked. */
cu_stream lanes_stream(const struct gpu *g, int stream);

/* Launch `launch` has been enqueued on `stream`; later launches may wait for it. */
int lanes_mark(struct gpu *g, int stream, int launch, struct err *err);

/* What is enqueued on `stream` from now on waits for the marked launches whose bits are in `after`.
 */
int lanes_wait(struct gpu *g, int stream, uint64_t after, struct err *err);

#endif
