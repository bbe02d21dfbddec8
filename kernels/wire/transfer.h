/* Work of several ranks in a run: collectives, and copies to the next rank. Each stands among the
 * launches as one of them (message.h). */
#ifndef WD_WIRE_TRANSFER_H
#define WD_WIRE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msg_buffer;
struct msg_launch;
struct msg_run;

/* Device work of several ranks that is no kernel of the request, put on a stream as one is. */
enum transfer_kind {
    TRANSFER_NONE, /* a kernel */
    TRANSFER_ALL_REDUCE,
    TRANSFER_ALL_GATHER,
    TRANSFER_REDUCE_SCATTER,
    TRANSFER_ALL_TO_ALL,
    TRANSFER_SEND_RECEIVE, /* to the next rank, from the one before */
    TRANSFER_PEER_COPY,    /* a whole buffer to the next rank; the one that needs no NCCL */
    TRANSFER_COUNT
};
struct msg_transfer {
    enum transfer_kind kind;
    int from, to;          /* indices into the shape's buffers */
    uint64_t first, count; /* elements of `from` that take part, of each rank */
    bool through_host;     /* of a peer copy: down to pinned memory, a wait, and up again */
};
const char *transfer_name(enum transfer_kind kind); /* "all_reduce" */
/* Where it lies in `to`, in elements. */
struct transfer_place {
    uint64_t first, count;
};
struct transfer_place transfer_place(const struct msg_transfer *m, int ranks);
/* Can it be among so many ranks? Else `why` says what is wrong: "count is 7, which 2 ranks do not
 * divide". Types are as declared: outputs of a reference are f64. */
bool transfer_holds(const struct msg_transfer *m, const struct msg_buffer *from,
                    const struct msg_buffer *to, int ranks, char *why, size_t size);

/* A run's first launch that is a kernel; it has one. */
const struct msg_launch *msg_run_first(const struct msg_run *r);

#endif
