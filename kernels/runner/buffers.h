/* The device memory of one shape's buffers: filled from seeds, poisoned, guarded by canaries. */
#ifndef WD_RUNNER_BUFFERS_H
#define WD_RUNNER_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/runner/gpu.h"
#include "kernels/wire/message_runs.h"

struct buffers;

/* What outputs and workspaces hold before a run: NaN in every float type, random finite values, or
 * zeros. */
enum poison { POISON_NAN, POISON_RANDOM, POISON_ZEROS };

/* Where buffers lie; zeroed: on a boundary of 256 bytes, with a canary of 4 KiB on either side. */
struct placement {
    int offset; /* bytes by which each base is moved up, rounded up to whole elements, or to 16 of
                   what a tensor map is made of */
    bool
        fence; /* the mapped addresses end less than 16 bytes behind each buffer, or right behind
                  those whose size is a multiple of 16: vector loads need a base on that boundary */
    bool bare; /* no canaries, outputs and workspaces never written: for tools that watch the
                  allocations */
};

/* Allocates and fills everything, inputs by the seed and the GPU's rank. `truth`: output buffers
 * are f64 of the same count, for the reference. ERR_TOO_LARGE beyond 60 % of the free memory. The
 * shape must outlive the buffers. */
int buffers_new(struct buffers **out, struct gpu *g, const struct msg_shape *shape, uint64_t seed,
                bool truth, struct err *err);
int buffers_new_at(struct buffers **out, struct gpu *g, const struct msg_shape *shape,
                   uint64_t seed, const struct placement *where, struct err *err);
void buffers_free(struct buffers *b); /* nothing happens on the device when it is lost */

cu_ptr buffers_at(const struct buffers *b, int index);
/* The same shape's on the next rank, which must outlive the use. */
void buffers_set_next(struct buffers *b, const struct buffers *next);
cu_ptr buffers_at_next(const struct buffers *b, int index);
uint64_t buffers_gap(const struct buffers *b,
                     int index); /* bytes between its end and the fence; 0 without one */
int buffers_type(const struct buffers *b,
                 int index); /* enum elem_type; f64 for outputs of the truth */
uint64_t buffers_bytes(const struct buffers *b, int index);
uint64_t buffers_footprint(const struct buffers *b);       /* of all buffers */

/* Enqueued on the stream: in/out buffers back to their fill, outputs and workspaces poisoned. */
int buffers_restore(struct buffers *b, enum poison poison, struct err *err);

/* Enqueued: inputs back to their fill and the canaries made whole, after a run that may have harmed
 * them. */
int buffers_mend(struct buffers *b, struct err *err);

/* Enqueued: inputs and canaries as if the buffers had been made with this seed. What a restore
 * fills follows it too. */
int buffers_reseed(struct buffers *b, uint64_t seed, struct err *err);

/* Enqueued: only in/out buffers back to their fill (for warm runs, whose caches must stay as they
 * are). */
int buffers_refill(struct buffers *b, struct err *err);

/* Waits for nothing: call after the stream is idle. Bytes changed in the 4 KiB before and after
 * each buffer. */
int buffers_canaries(struct buffers *b, uint64_t *broken, struct err *err);

/* Enqueues a hash of each input. Once the stream is idle, the first buffers_inputs_changed keeps
 * the hashes as the truth; later ones count the inputs whose hash differs from it. */
int buffers_hash_inputs(struct buffers *b, struct err *err);
int buffers_inputs_changed(struct buffers *b, int *changed, struct err *err);

#endif
