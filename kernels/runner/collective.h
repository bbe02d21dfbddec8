/* Collectives by NCCL. It opens sockets and files early, so all of that happens before a process
 * gives up what it no longer needs: communicators are connected in full, and each collective is run
 * once. NVLink's multicast stays off. */
#ifndef WD_RUNNER_COLLECTIVE_H
#define WD_RUNNER_COLLECTIVE_H

#include "kernels/runner/world.h"
#include "kernels/wire/transfer.h"

struct collective {
    enum transfer_kind kind; /* any but none and the peer copy */
    cu_ptr from, to;
    uint64_t count; /* elements of `from` that the rank gives */
    int type;       /* enum elem_type */
};

/* What NCCL reads when it is loaded; call it before the driver starts. */
void collective_set_up(void);

/* Loads NCCL and makes the world's communicators; why there are none is kept in it. */
void collective_open(struct world *w);

/* One of a rank, on a stream of it; every rank's thread asks for its own. Enqueued; `g` is of a
 * world whose NCCL is there. A failure leaves the communicators unusable. */
int collective_enqueue(const struct collective *c, struct gpu *g, cu_stream stream,
                       struct err *err);

#endif
