#include "kernels/runner/collective.h"

#include <stdlib.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/element.h"

enum { WARM_UP = 1 << 16 /* elements of each collective */ };

static const int types[T_COUNT] = {
    [T_F64] = NCCL_F64,   [T_F32] = NCCL_F32, [T_F16] = NCCL_F16,
    [T_BF16] = NCCL_BF16, [T_I64] = NCCL_I64, [T_I32] = NCCL_I32,
    [T_U32] = NCCL_U32,   [T_I8] = NCCL_I8,   [T_U8] = NCCL_U8,
};

static int check(struct world *w, nccl_result r, const char *call, struct err *err)
{
    return fault_nccl(&w->nccl, r, call, err);
}
#define NCCL(w, err, fn, ...) check((w), (w)->nccl.fn(__VA_ARGS__), #fn, (err))

/* ---- one ---- */

static void *place(cu_ptr at) { return (void *)(uintptr_t)at; }

/* A part to each rank, itself among them, and one from each. */
static int exchange(const struct collective *c, struct world *w, int rank, cu_stream stream,
                    struct err *err)
{
    uint64_t part = c->count / (uint64_t)w->n,
             bytes = part * (uint64_t)elem_size((enum elem_type)c->type);
    int rc = 0, type = types[c->type];
    for (int k = 0; k < w->n && !rc; k++) {
        cu_ptr from = c->from + (uint64_t)k * bytes, to = c->to + (uint64_t)k * bytes;
        if (!(rc = NCCL(w, err, ncclSend, place(from), part, type, k, w->comm[rank], stream)))
            rc = NCCL(w, err, ncclRecv, place(to), part, type, k, w->comm[rank], stream);
    }
    return rc;
}

static int pass_on(const struct collective *c, struct world *w, int rank, cu_stream stream,
                   struct err *err)
{
    int type = types[c->type];
    int rc = NCCL(w, err, ncclSend, place(c->from), c->count, type, world_next(w, rank),
                  w->comm[rank], stream);
    return rc ? rc
              : NCCL(w, err, ncclRecv, place(c->to), c->count, type, world_before(w, rank),
                     w->comm[rank], stream);
}

/* A group in which a call failed is not ended: what is in it would wait for its other side. */
static int in_group(const struct collective *c, struct world *w, int rank, cu_stream stream,
                    struct err *err)
{
    int rc = NCCL(w, err, ncclGroupStart);
    if (rc)
        return rc;
    rc = c->kind == TRANSFER_ALL_TO_ALL ? exchange(c, w, rank, stream, err)
                                        : pass_on(c, w, rank, stream, err);
    return rc ? rc : NCCL(w, err, ncclGroupEnd);
}

int collective_enqueue(const struct collective *c, struct gpu *g, cu_stream stream, struct err *err)
{
    struct world *w = g->world;
    nccl_comm comm = w->comm[g->rank];
    void *from = place(c->from), *to = place(c->to);
    int type = types[c->type];
    switch (c->kind) {
    case TRANSFER_ALL_REDUCE:
        return NCCL(w, err, ncclAllReduce, from, to, c->count, type, NCCL_SUM, comm, stream);
    case TRANSFER_ALL_GATHER:
        return NCCL(w, err, ncclAllGather, from, to, c->count, type, comm, stream);
    case TRANSFER_REDUCE_SCATTER:
        return NCCL(w, err, ncclReduceScatter, from, to, c->count / (uint64_t)w->n, type, NCCL_SUM,
                    comm, stream);
    case TRANSFER_ALL_TO_ALL:
    case TRANSFER_SEND_RECEIVE: return in_group(c, w, g->rank, stream, err);
    case TRANSFER_NONE:
    case TRANSFER_PEER_COPY:
    case TRANSFER_COUNT: break;
    }
    return err_set(err, ERR_INTERNAL, "%s is no collective", transfer_name(c->kind));
}

/* ---- all of them, once ---- */

void collective_set_up(void)
{
    setenv("NCCL_NVLS_ENABLE", "0", 1);     /* NVLink's multicast */
    setenv("NCCL_RUNTIME_CONNECT", "0", 1); /* connections are made with the communicators */
}

static int warm_up_one(struct world *w, enum transfer_kind kind, cu_ptr *from, cu_ptr *to,
                       struct err *err)
{
    int rc = NCCL(w, err, ncclGroupStart);
    for (int i = 0; i < w->n && !rc; i++) {
        struct collective c = {kind, from[i], to[i], WARM_UP, T_F32};
        if (!(rc = gpu_turn_to(w->gpu[i], err)))
            rc = collective_enqueue(&c, w->gpu[i], w->gpu[i]->stream, err);
    }
    return rc ? rc : NCCL(w, err, ncclGroupEnd);
}

static int warm_up(struct world *w, struct err *err)
{
    cu_ptr from[CAP_RANKS] = {0}, to[CAP_RANKS] = {0};
    size_t bytes = (size_t)WARM_UP * 4 * (size_t)w->n;
    int rc = 0;
    for (int i = 0; i < w->n && !rc; i++)
        if (!(rc = gpu_turn_to(w->gpu[i], err)) &&
            !(rc = GPU(w->gpu[i], err, cuMemAlloc_v2, &from[i], bytes)))
            rc = GPU(w->gpu[i], err, cuMemAlloc_v2, &to[i], bytes);
    for (int k = TRANSFER_ALL_REDUCE; k < TRANSFER_PEER_COPY && !rc; k++)
        rc = warm_up_one(w, (enum transfer_kind)k, from, to, err);
    for (int i = 0; i < w->n; i++) {
        struct gpu *g = w->gpu[i];
        int turned = gpu_turn_to(g, NULL);
        if (!rc && !turned)
            rc = GPU(g, err, cuStreamSynchronize, g->stream);
        if (from[i])
            GPU(g, NULL, cuMemFree_v2, from[i]);
        if (to[i])
            GPU(g, NULL, cuMemFree_v2, to[i]);
    }
    return rc;
}

static int open_nccl(struct world *w, struct err *err)
{
    int devices[CAP_RANKS], rc;
    for (int i = 0; i < w->n; i++)
        devices[i] = i;
    if ((rc = api_load_nccl(&w->nccl, err)) ||
        (rc = NCCL(w, err, ncclCommInitAll, w->comm, w->n, devices)))
        return rc;
    return warm_up(w, err);
}

void collective_open(struct world *w)
{
    open_nccl(w, &w->no_nccl);
    gpu_turn_to(w->gpu[0], NULL);
}
