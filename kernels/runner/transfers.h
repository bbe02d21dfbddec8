/* Work of several ranks in a run, made ready: collectives, and copies to the next rank. */
#ifndef WD_RUNNER_TRANSFERS_H
#define WD_RUNNER_TRANSFERS_H

#include "kernels/runner/buffers.h"
#include "kernels/runner/collective.h"

struct transfer {
    enum transfer_kind kind; /* TRANSFER_NONE: it is a kernel */
    struct collective collective;
    struct world_copy *copy; /* of a peer copy, else NULL */
    bool through_host, sends, receives;
    cu_ptr from, to, to_next; /* to_next: on the next rank */
    uint64_t bytes;
};

/* Binds launch `at` of a run on a rank's buffers. ERR_UNSUPPORTED where NCCL or peers are not
 * there, ERR_BAD_REQUEST where types differ, as they may in a reference. */
int transfer_bind(struct transfer *out, struct gpu *g, const struct msg_launch *launch, int at,
                  const struct buffers *b, struct err *err);

/* Enqueues a rank's part. Every rank's thread has to come here: copies meet on the way. */
int transfer_enqueue(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err);

#endif
