#include "kernels/runner/transfers.h"

#define STAGING_MOST (4ull << 30) /* bytes of pinned memory of one copy */

/* ---- making ready ---- */

static int make_event(struct gpu *g, cu_event *e, struct err *err)
{
    return *e ? 0 : GPU(g, err, cuEventCreate, e, CU_EVENT_NO_TIMING);
}

static int make_staging(struct world_copy *c, struct gpu *g, uint64_t bytes, struct err *err)
{
    int rc = 0;
    if (c->bytes[g->rank] >= bytes)
        return 0;
    if (bytes > STAGING_MOST)
        return err_set(err, ERR_TOO_LARGE,
                       "a copy through the host needs %.1f GB of its memory; at most %llu GiB go",
                       (double)bytes / 1e9, STAGING_MOST >> 30);
    if (c->staging[g->rank])
        rc = GPU(g, err, cuMemFreeHost, c->staging[g->rank]);
    c->staging[g->rank] = NULL;
    c->bytes[g->rank] = 0;
    if (!rc && !(rc = GPU(g, err, cuMemHostAlloc, &c->staging[g->rank], bytes, CU_HOST_PORTABLE)))
        c->bytes[g->rank] = bytes;
    return rc;
}

static int bind_copy(struct transfer *m, struct gpu *g, const struct msg_launch *l, int at,
                     const struct buffers *b, struct err *err)
{
    struct world *w = g->world;
    int before = world_before(w, g->rank), rc;
    m->copy = &w->copy[at];
    m->through_host = l->transfer.through_host;
    m->sends = !l->only || l->only - 1 == g->rank;
    m->receives = !l->only || l->only - 1 == before;
    m->bytes = buffers_bytes(b, l->transfer.from);
    m->to_next = buffers_at_next(b, l->transfer.to);
    if (!m->through_host && w->no_peer[g->rank].code)
        return err_copy(err, &w->no_peer[g->rank]);
    if ((rc = make_event(g, &m->copy->ready[g->rank], err)) ||
        (rc = make_event(g, &m->copy->done[g->rank], err)))
        return rc;
    return m->through_host && m->sends ? make_staging(m->copy, g, m->bytes, err) : 0;
}

static int bind_collective(struct transfer *m, struct gpu *g, const struct msg_launch *l,
                           const struct buffers *b, struct err *err)
{
    uint64_t size = (uint64_t)elem_size((enum elem_type)buffers_type(b, l->transfer.from));
    struct transfer_place place = transfer_place(&l->transfer, g->world->n);
    m->collective = (struct collective){l->transfer.kind, m->from + l->transfer.first * size,
                                        m->to + place.first * size, l->transfer.count,
                                        buffers_type(b, l->transfer.from)};
    return g->world->no_nccl.code ? err_copy(err, &g->world->no_nccl) : 0;
}

int transfer_bind(struct transfer *out, struct gpu *g, const struct msg_launch *launch, int at,
                  const struct buffers *b, struct err *err)
{
    const struct msg_transfer *m = &launch->transfer;
    int from = buffers_type(b, m->from), to = buffers_type(b, m->to);
    *out = (struct transfer){
        .kind = m->kind, .from = buffers_at(b, m->from), .to = buffers_at(b, m->to)};
    if (from != to)
        return err_set(err, ERR_BAD_REQUEST,
                       "%s goes from %s to %s: outputs of a reference are f64, so that both sides "
                       "have to be outputs or f64",
                       launch->kernel, elem_name((enum elem_type)from),
                       elem_name((enum elem_type)to));
    return m->kind == TRANSFER_PEER_COPY ? bind_copy(out, g, launch, at, b, err)
                                         : bind_collective(out, g, launch, b, err);
}

/* ---- a copy to the next rank ---- */

static int down(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    int rc =
        GPU(g, err, cuMemcpyDtoHAsync_v2, m->copy->staging[g->rank], m->from, m->bytes, stream);
    return rc ? rc : GPU(g, err, cuStreamSynchronize, stream);
}

static int up(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    const void *from = m->copy->staging[world_before(g->world, g->rank)];
    return GPU(g, err, cuMemcpyHtoDAsync_v2, m->to, from, m->bytes, stream);
}

/* The one that receives brings it up, so that its stream is what waits. */
static int through_host(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    int rc = m->sends ? down(m, g, stream, err) : 0;
    if (rc || (rc = world_meet(g->world, err)))
        return rc;
    return m->receives ? up(m, g, stream, err) : 0;
}

static int send(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    struct gpu *next = g->world->gpu[world_next(g->world, g->rank)];
    int rc = GPU(g, err, cuStreamWaitEvent, stream, m->copy->ready[next->rank], 0);
    return rc ? rc
              : GPU(g, err, cuMemcpyPeerAsync, m->to_next, next->ctx, m->from, g->ctx, m->bytes,
                    stream);
}

/* An event can be waited for by another rank once it was recorded, which the meetings are for. */
static int to_peer(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    struct world *w = g->world;
    int rc;
    if ((rc = GPU(g, err, cuEventRecord, m->copy->ready[g->rank], stream)) ||
        (rc = world_meet(w, err)) || (m->sends && (rc = send(m, g, stream, err))) ||
        (rc = GPU(g, err, cuEventRecord, m->copy->done[g->rank], stream)) ||
        (rc = world_meet(w, err)))
        return rc;
    return m->receives
               ? GPU(g, err, cuStreamWaitEvent, stream, m->copy->done[world_before(w, g->rank)], 0)
               : 0;
}

int transfer_enqueue(const struct transfer *m, struct gpu *g, cu_stream stream, struct err *err)
{
    if (m->kind != TRANSFER_PEER_COPY)
        return collective_enqueue(&m->collective, g, stream, err);
    return m->through_host ? through_host(m, g, stream, err) : to_peer(m, g, stream, err);
}
