#include "kernels/runner/hosted.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/images.h"
#include "kernels/runner/lanes.h"
#include "kernels/wire/text.h"

#define HOST_MOST (4ull << 30) /* bytes of host memory for copies */
#define NS 1e9

struct hosted {
    struct task *task;
    struct msg_step steps[CAP_STEPS];
    int n;
    const struct plan *plan;
    struct buffers *buffers;
    void *memory[CAP_STEPS];         /* of a copy: its side on the host */
    cu_graph_exec graph[CAP_STEPS];  /* of a replay; NULL where its run makes it */
    cu_ptr held[CAP_STEPS];          /* allocated by a step and not freed yet */
    int n_held;
};

uint64_t hosted_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * (uint64_t)NS + (uint64_t)t.tv_nsec;
}

int hosted_steps(const struct hosted *h)
{
    return h->n;
}

const struct msg_step *hosted_at(const struct hosted *h, int step)
{
    return &h->steps[step];
}

/* ---- making it ---- */

static int new_memory(struct hosted *h, int at, uint64_t *all, struct err *err)
{
    const struct msg_step *s = &h->steps[at];
    struct gpu *g = h->task->gpu;
    uint64_t bytes = buffers_bytes(h->buffers, s->buffer);
    int rc = 0;
    if ((*all += bytes) > HOST_MOST)
        return err_set(err, ERR_TOO_LARGE,
                       "the copies of the run need more than %llu GiB of the host's memory",
                       HOST_MOST >> 30);
    if (s->pinned)
        rc = GPU(g, err, cuMemHostAlloc, &h->memory[at], bytes, 0);
    else
        h->memory[at] = mem_new(bytes, 1);
    return rc ? rc
              : GPU(g, err, cuMemcpyDtoH_v2, h->memory[at], buffers_at(h->buffers, s->buffer),
                    bytes);
}

int hosted_refresh(struct hosted *h, struct err *err)
{
    struct gpu *g = h->task->gpu;
    int rc = task_wait(h->task, err);
    for (int i = 0; i < h->n && !rc; i++) {
        const struct msg_step *s = &h->steps[i];
        if (s->kind == HOST_COPY && s->to_device)
            rc = GPU(g, err, cuMemcpyDtoH_v2, h->memory[i], buffers_at(h->buffers, s->buffer),
                     buffers_bytes(h->buffers, s->buffer));
    }
    return rc;
}

/* The launches between the capture at `at` and its replay, which has the graph. */
static int new_graph(struct hosted *h, int at, struct err *err)
{
    const struct msg_step *steps = h->steps;
    int replay = at;
    while (steps[replay].kind != HOST_REPLAY)
        replay++;
    return plan_capture(h->plan, h->task->gpu, steps[at + 1].launch, steps[replay - 1].launch + 1,
                        &h->graph[replay], err);
}

/* Streams that no launch uses are made too: a copy may have one of its own. */
static int prepare_lanes(const struct hosted *h, struct err *err)
{
    unsigned streams = 0;
    for (int i = 0; i < h->n; i++)
        if (h->steps[i].stream > 0)
            streams |= 1u << h->steps[i].stream;
    return streams ? lanes_prepare(h->task->gpu, streams, 0, err) : 0;
}

static int prepare(struct hosted *h, struct err *err)
{
    uint64_t all = 0;
    int rc;
    if ((rc = prepare_lanes(h, err)) || (rc = buffers_restore(h->buffers, POISON_NAN, err)) ||
        (rc = task_wait(h->task, err)))
        return rc;
    for (int i = 0; i < h->n && !rc; i++) {
        if (h->steps[i].kind == HOST_COPY)
            rc = new_memory(h, i, &all, err);
        if (h->steps[i].kind == HOST_CAPTURE && !h->steps[i].anew)
            rc = new_graph(h, i, err);
    }
    if (rc || h->task->ranks || (rc = plan_enqueue(h->plan, h->task->gpu, 0, h->plan->n, err)))
        return rc;
    return task_wait(h->task, err);
}

static void take_steps(struct hosted *h, const struct msg_run *run)
{
    h->n = run->n_steps ? run->n_steps : run->n_launches;
    for (int i = 0; i < h->n; i++)
        h->steps[i] = run->n_steps ? run->steps[i]
                                   : (struct msg_step){.kind = HOST_LAUNCH, .launch = i};
}

int hosted_new(struct hosted **out, struct task *t, const struct msg_run *run, const struct plan *p,
               struct buffers *b, struct err *err)
{
    struct hosted *h = mem_new(1, sizeof *h);
    *h = (struct hosted){.task = t, .plan = p, .buffers = b};
    take_steps(h, run);
    int rc = prepare(h, err);
    if (rc) {
        hosted_free(h);
        h = NULL;
    }
    *out = h;
    return rc;
}

static int free_latest(struct hosted *h, struct err *err)
{
    return GPU(h->task->gpu, err, cuMemFree_v2, h->held[--h->n_held]);
}

void hosted_free(struct hosted *h)
{
    if (!h)
        return;
    struct gpu *g = h->task->gpu;
    for (int i = 0; i < h->n; i++) {
        if (!h->steps[i].pinned)
            free(h->memory[i]);
        else if (h->memory[i] && !g->lost)
            GPU(g, NULL, cuMemFreeHost, h->memory[i]);
        if (h->graph[i] && !g->lost)
            GPU(g, NULL, cuGraphExecDestroy, h->graph[i]);
    }
    while (h->n_held > 0 && !g->lost)
        free_latest(h, NULL);
    free(h);
}

/* ---- steps ---- */

static int copy(struct hosted *h, int at, struct err *err)
{
    const struct msg_step *s = &h->steps[at];
    struct gpu *g = h->task->gpu;
    cu_stream stream = lanes_stream(g, s->stream);
    cu_ptr there = buffers_at(h->buffers, s->buffer);
    size_t bytes = buffers_bytes(h->buffers, s->buffer);
    int rc = s->to_device
                 ? GPU(g, err, cuMemcpyHtoDAsync_v2, there, h->memory[at], bytes, stream)
                 : GPU(g, err, cuMemcpyDtoHAsync_v2, h->memory[at], there, bytes, stream);
    return rc || s->pinned ? rc : GPU(g, err, cuStreamSynchronize, stream);
}

static int read_one(struct hosted *h, const struct msg_step *s, struct err *err)
{
    struct gpu *g = h->task->gpu;
    cu_stream stream = lanes_stream(g, s->stream);
    double one;
    size_t bytes = (size_t)elem_size((enum elem_type)buffers_type(h->buffers, s->buffer));
    int rc = GPU(g, err, cuMemcpyDtoHAsync_v2, &one, buffers_at(h->buffers, s->buffer), bytes,
                 stream);
    return rc ? rc : GPU(g, err, cuStreamSynchronize, stream);
}

static int sync_with(struct gpu *g, int stream, struct err *err)
{
    return stream == WHOLE_DEVICE ? GPU(g, err, cuCtxSynchronize)
                                  : GPU(g, err, cuStreamSynchronize, lanes_stream(g, stream));
}

static void compute(double seconds)
{
    uint64_t until = hosted_now() + (uint64_t)(seconds * NS);
    while (hosted_now() < until)
        ;
}

static int allocate(struct hosted *h, uint64_t bytes, struct err *err)
{
    int rc = GPU(h->task->gpu, err, cuMemAlloc_v2, &h->held[h->n_held], bytes);
    h->n_held += !rc;
    return rc;
}

/* What the launches of this step stand in. */
struct capture { bool open, anew; };

static int begin_graph(struct hosted *h, int at, struct capture *c, struct err *err)
{
    *c = (struct capture){.open = true, .anew = h->steps[at].anew};
    return c->anew ? new_graph(h, at, err) : 0;
}

/* A graph of this run alone is given back at once; the driver keeps it until it has run. */
static int replay_graph(struct hosted *h, int at, struct capture *c, struct err *err)
{
    struct gpu *g = h->task->gpu;
    int rc = GPU(g, err, cuGraphLaunch, h->graph[at], g->stream);
    if (c->anew && !g->lost) {
        GPU(g, NULL, cuGraphExecDestroy, h->graph[at]);
        h->graph[at] = NULL;
    }
    *c = (struct capture){.open = false};
    return rc;
}

static int one_step(struct hosted *h, int at, struct capture *c, struct err *err)
{
    const struct msg_step *s = &h->steps[at];
    struct gpu *g = h->task->gpu;
    if (s->only && s->only - 1 != g->rank)
        return 0;
    switch (s->kind) {
    case HOST_LAUNCH: return c->open ? 0 : plan_enqueue_on_lane(h->plan, g, s->launch, err);
    case HOST_SYNC: return sync_with(g, s->stream, err);
    case HOST_COPY: return copy(h, at, err);
    case HOST_ALLOC: return allocate(h, s->bytes, err);
    case HOST_FREE: return free_latest(h, err);
    case HOST_WAIT: compute(s->seconds); return 0;
    case HOST_READ: return read_one(h, s, err);
    case HOST_LOAD: return image_load_again(g, plan_image(h->plan), s->ptx, err);
    case HOST_CAPTURE: return begin_graph(h, at, c, err);
    case HOST_REPLAY: return replay_graph(h, at, c, err);
    case HOST_COUNT: break;
    }
    return 0;
}

int hosted_step(struct hosted *h, struct hosted_call *calls, struct err *err)
{
    struct hosted_call mine[CAP_STEPS + 1];
    int n = h->n, rc = 0;
    struct capture capture = {.open = false};
    calls = calls ? calls : mine;
    for (int i = 0; i < n && !rc; i++) {
        calls[i].start = hosted_now();
        rc = one_step(h, i, &capture, err);
        calls[i].end = hosted_now();
    }
    calls[n].start = hosted_now();
    int idle = GPU(h->task->gpu, rc ? NULL : err, cuCtxSynchronize);
    calls[n].end = hosted_now();
    return rc ? rc : idle;
}
