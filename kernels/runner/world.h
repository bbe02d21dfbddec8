/* The GPUs of one host that a request runs on, each a rank: opened together, with access to the
 * next one's memory. A rank's host thread makes its GPU its own (gpu_turn_to) and meets the others
 * here. */
#ifndef WD_RUNNER_WORLD_H
#define WD_RUNNER_WORLD_H

#include <stdatomic.h>

#include "kernels/runner/gpu.h"
#include "kernels/wire/message.h"

/* What copies of one place in a run share between two ranks. Made on first use, kept for good. */
struct world_copy {
    cu_event ready[CAP_RANKS], done[CAP_RANKS]; /* of each rank: before it sends, after it sent */
    void *staging[CAP_RANKS];                   /* pinned memory of the sender */
    uint64_t bytes[CAP_RANKS];
};

struct world {
    int n;
    struct gpu *gpu[CAP_RANKS]; /* [0] is the worker's own */
    struct gpu further[CAP_RANKS];
    struct err no_peer[CAP_RANKS]; /* why rank k may not reach into the next one's memory; code 0 */
    struct nccl_api nccl;          /* collective.h; with the communicator of each rank */
    nccl_comm comm[CAP_RANKS];
    struct err no_nccl; /* why there are no collectives; code 0 */
    struct world_copy copy[CAP_LAUNCHES];
    atomic_int arrived, broken;
};

/* Opens `n` GPUs; `first` is open and stays the thread's own. Why a peer cannot be reached is kept
 * for who asks for it. ERR_UNSUPPORTED: there are fewer GPUs, or they are not equal. */
int world_open(struct world *w, struct gpu *first, int n, struct err *err);

int world_next(const struct world *w, int rank);
int world_before(const struct world *w, int rank);

/* Waits for the other ranks' threads to be here too. ERR_LOST when one of them gave up. */
int world_meet(struct world *w, struct err *err);
/* Nobody is waited for any more, until the next step begins. */
void world_break(struct world *w);
void world_begin(struct world *w);

/* May a rank's kernels and copies reach into the memory of another? 0 from then on, also when asked
 * again; ERR_UNSUPPORTED with the pair: they may not. */
int world_open_peer(struct world *w, int rank, int to, struct err *err);

/* Is one of the contexts gone? Then none of them is of use. */
bool world_lost(const struct world *w);
void world_lose(struct world *w);

#endif
