#include "kernels/runner/lanes.h"

#include "kernels/wire/message.h"
#include "kernels/wire/text.h"

/* An event may be recorded anew while an earlier wait for it is pending: a wait means the record
 * that came last before it. So one set of events serves every step. */
struct lanes {
    cu_stream stream[CAP_STREAMS];   /* NULL until used; [0] unused */
    cu_event fork, join[CAP_STREAMS], done[CAP_LAUNCHES];
};

static int make_event(struct gpu *g, cu_event *e, struct err *err)
{
    return *e ? 0 : GPU(g, err, cuEventCreate, e, CU_EVENT_NO_TIMING);
}

static int make_stream(struct gpu *g, int s, struct err *err)
{
    struct lanes *l = g->lanes;
    int rc = l->stream[s] ? 0 : GPU(g, err, cuStreamCreate, &l->stream[s], CU_STREAM_NONBLOCKING);
    return rc ? rc : make_event(g, &l->join[s], err);
}

int lanes_prepare(struct gpu *g, unsigned streams, uint64_t awaited, struct err *err)
{
    if (!g->lanes)
        g->lanes = mem_new(1, sizeof *g->lanes);
    int rc = make_event(g, &g->lanes->fork, err);
    for (int s = 1; s < CAP_STREAMS && !rc; s++)
        if (streams >> s & 1)
            rc = make_stream(g, s, err);
    for (int k = 0; k < CAP_LAUNCHES && !rc; k++)
        if (awaited >> k & 1)
            rc = make_event(g, &g->lanes->done[k], err);
    return rc;
}

int lanes_fork(struct gpu *g, unsigned streams, struct err *err)
{
    struct lanes *l = g->lanes;
    int rc = GPU(g, err, cuEventRecord, l->fork, g->stream);
    for (int s = 1; s < CAP_STREAMS && !rc; s++)
        if (streams >> s & 1)
            rc = GPU(g, err, cuStreamWaitEvent, l->stream[s], l->fork, 0);
    return rc;
}

int lanes_join(struct gpu *g, unsigned streams, struct err *err)
{
    struct lanes *l = g->lanes;
    int rc = 0;
    for (int s = 1; s < CAP_STREAMS && !rc; s++)
        if (streams >> s & 1 && !(rc = GPU(g, err, cuEventRecord, l->join[s], l->stream[s])))
            rc = GPU(g, err, cuStreamWaitEvent, g->stream, l->join[s], 0);
    return rc;
}

cu_stream lanes_stream(const struct gpu *g, int stream)
{
    return stream ? g->lanes->stream[stream] : g->stream;
}

int lanes_mark(struct gpu *g, int stream, int launch, struct err *err)
{
    return GPU(g, err, cuEventRecord, g->lanes->done[launch], lanes_stream(g, stream));
}

int lanes_wait(struct gpu *g, int stream, uint64_t after, struct err *err)
{
    int rc = 0;
    for (int k = 0; k < CAP_LAUNCHES && !rc; k++)
        if (after >> k & 1)
            rc = GPU(g, err, cuStreamWaitEvent, lanes_stream(g, stream), g->lanes->done[k], 0);
    return rc;
}
