/* What runs: buffers, launches with their arguments, steps of the host; and a shape, one setting of
 * all that a sweep may change. */
#ifndef WD_WIRE_MESSAGE_RUNS_H
#define WD_WIRE_MESSAGE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/element.h"
#include "kernels/wire/message.h"
#include "kernels/wire/transfer.h"

enum buffer_role { ROLE_INPUT, ROLE_OUTPUT, ROLE_INOUT, ROLE_WORKSPACE };
struct msg_buffer {
    char name[32];
    enum elem_type type;
    uint64_t count;
    enum buffer_role role;
    struct msg_fill fill;
};

/* A tensor map of a buffer, tiled: how TMA finds a box of it (CUtensorMap). Innermost first. */
struct msg_map {
    int rank;                          /* 1 to CAP_MAP_RANK */
    uint64_t size[CAP_MAP_RANK];       /* elements */
    uint64_t pitch[CAP_MAP_RANK - 1];  /* bytes from one row, plane and so on to the next */
    uint32_t box[CAP_MAP_RANK];        /* elements that one copy moves */
    int swizzle;                       /* bytes: 0 (none), 32, 64 or 128 */
};
/* Can there be such a map of so many elements? Else `why` says what is wrong: "pitch[0] is 24
 * bytes, a multiple of 16 was expected". */
bool map_holds(const struct msg_map *m, enum elem_type type, uint64_t count, char *why,
               size_t size);

enum arg_kind {
    ARG_BUFFER,
    ARG_I32,
    ARG_I64,
    ARG_F32,
    ARG_F64,
    ARG_MAP,
    ARG_RANK, /* i32: the rank that runs the kernel */
    ARG_PEER, /* that buffer on the next rank */
    ARG_KINDS
};
bool arg_of_buffer(enum arg_kind kind); /* a buffer, a map of one, or one of the next rank */
struct msg_arg {
    enum arg_kind kind;
    int buffer; /* index into buffers; of a map: the one that it maps */
    int64_t i;
    double f;
    struct msg_map map;
};

struct msg_launch {
    char source[16], kernel[64]; /* of a transfer: "" and its name */
    struct msg_transfer transfer;
    int only;                 /* the rank that does it, from 1; 0: every */
    uint32_t grid[3], block[3], shared; /* shared: dynamic bytes */
    int stream;               /* below CAP_STREAMS; launches of one stream run in order */
    uint64_t after; /* bit k: waits for launch k of the run, an earlier one on another stream */
    uint32_t cluster[3];      /* blocks of a thread block cluster; all 0: none is asked for */
    bool cooperative;         /* all blocks are resident at once, and may wait for each other */
    bool programmatic;        /* may begin before the one before it on the stream has ended */
    struct msg_arg args[CAP_ARGS];
    int n_args;
};

/* What the host does in a run, in order. Beside launches these are fixed steps, each of which a
 * driver call stands for (kernels/PROTOCOL.md). */
enum host_step {
    HOST_LAUNCH,
    HOST_SYNC,    /* waits for a stream, or for all */
    HOST_COPY,    /* a whole buffer to the host or from there */
    HOST_ALLOC,   /* device memory that nobody uses */
    HOST_FREE,    /* the latest that is still held */
    HOST_WAIT,    /* the host computes */
    HOST_READ,    /* one element comes to the host, which waits for it */
    HOST_CAPTURE, /* launches up to the next replay are made a graph, once or in each run */
    HOST_REPLAY,  /* that graph is launched */
    HOST_LOAD,    /* the module of the first kernel, once more */
    HOST_COUNT
};
#define WHOLE_DEVICE (-1) /* a stream: all of them */
struct msg_step {
    enum host_step kind;
    int launch, buffer; /* indices into the run's launches, the shape's buffers */
    int stream;
    bool to_device, pinned; /* of a copy */
    bool anew; /* of a capture: in each run, and not before anything is timed */
    bool ptx;  /* of a load: the driver compiles it */
    uint64_t bytes;
    double seconds;
    int only; /* the rank whose host does it, from 1; 0: every */
};
#define WAIT_MOST_S 0.1               /* of one wait */
#define ALLOC_MOST ((int64_t)8 << 30) /* bytes that one step may ask for */
const char *step_name(enum host_step kind);
/* What is wrong with the order of steps, said of step *at; NULL: nothing. */
const char *steps_fault(const struct msg_step *steps, int n, int *at);

struct msg_run {
    char id[16];
    struct msg_launch *launches; int n_launches;
    struct msg_step *steps; int n_steps; /* all that the host does; 0: it only launches, in order */
};

struct msg_work { double bytes, flops; };

/* One setting of everything that a sweep may change. Variant -1 is the request's own. */
struct msg_shape {
    struct msg_buffer *buffers; int n_buffers;
    struct msg_run *runs; int n_runs;
    struct msg_define *define; int n_define;
    struct msg_work work;
    int registers; /* most registers per thread that the compiler may use; 0: its own choice */
};
const struct msg_run *msg_run_find(const struct msg_shape *s, const char *id);

#endif
