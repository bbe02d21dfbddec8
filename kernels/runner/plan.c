#include "kernels/runner/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/lanes.h"
#include "kernels/runner/transfers.h"
#include "kernels/wire/text.h"

union argument {
    cu_ptr p;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
    struct cu_tensor_map map;
};

struct plan_launch {
    cu_function function; /* NULL: it is a transfer */
    const struct image *image; /* the function's */
    struct transfer transfer;
    bool absent;          /* what another rank does, or what this one cannot do by itself */
    int stream;
    uint64_t after;      /* bits of the launches that it waits for */
    bool awaited;        /* another launch waits for this one */
    unsigned grid[3], block[3], shared;
    struct cu_launch_attribute attributes[3];
    unsigned n_attributes;
    union argument values[CAP_ARGS];
    void *args[CAP_ARGS];
};

/* Tiled, without interleaving or strides between elements; what lies outside reads as zeros. */
static int bind_map(struct cu_tensor_map *to, struct gpu *g, const struct msg_launch *launch,
                    const struct msg_arg *from, const struct buffers *b, struct err *err)
{
    static const int types[T_COUNT] = {CU_MAP_F64, CU_MAP_F32, CU_MAP_F16, CU_MAP_BF16,
                                       CU_MAP_U8,  CU_MAP_U8,  CU_MAP_I64, CU_MAP_I32,
                                       CU_MAP_U32, CU_MAP_U8,  CU_MAP_U8};
    static const unsigned stride[CAP_MAP_RANK] = {1, 1, 1, 1, 1};
    const struct msg_map *m = &from->map;
    int swizzle = m->swizzle == 128  ? CU_MAP_SWIZZLE_128
                  : m->swizzle == 64 ? CU_MAP_SWIZZLE_64
                  : m->swizzle == 32 ? CU_MAP_SWIZZLE_32
                                     : CU_MAP_SWIZZLE_NONE;
    if (g->facts.major < 9)
        return err_set(err, ERR_LAUNCH,
                       "%s is launched with a tensor map, which GPUs of compute capability 9.0 and "
                       "later read; this one is %d.%d",
                       launch->kernel, g->facts.major, g->facts.minor);
    if (!g->cu.cuTensorMapEncodeTiled)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is launched with a tensor map, which drivers from CUDA 12.0 on make",
                       launch->kernel);
    _Alignas(CU_MAP_ALIGN) struct cu_tensor_map made = {{0}};
    int rc = GPU(g, err, cuTensorMapEncodeTiled, &made, types[buffers_type(b, from->buffer)],
               (unsigned)m->rank, (void *)(uintptr_t)buffers_at(b, from->buffer), m->size,
               m->pitch, m->box, stride, CU_MAP_PLAIN, swizzle, CU_MAP_PROMOTE_256, CU_MAP_ZEROS);
    *to = made;
    return rc;
}

static int bind_peer(cu_ptr *to, struct gpu *g, const struct msg_arg *from, const struct buffers *b,
                     struct err *err)
{
    const struct err *why = &g->world->no_peer[g->rank];
    *to = buffers_at_next(b, from->buffer);
    return why->code ? err_copy(err, why) : 0;
}

static int bind_argument(union argument *to, struct gpu *g, const struct msg_launch *launch, int arg,
                         const struct buffers *b, struct err *err)
{
    const struct msg_arg *from = &launch->args[arg];
    switch (from->kind) {
    case ARG_BUFFER: to->p = buffers_at(b, from->buffer); break;
    case ARG_I32: to->i32 = (int32_t)from->i; break;
    case ARG_I64: to->i64 = from->i; break;
    case ARG_F32: to->f32 = (float)from->f; break;
    case ARG_F64: to->f64 = from->f; break;
    case ARG_RANK: to->i32 = g->rank; break;
    case ARG_PEER: return bind_peer(&to->p, g, from, b, err);
    case ARG_MAP: return bind_map(&to->map, g, launch, from, b, err);
    case ARG_KINDS: break;
    }
    return 0;
}

/* Never lowered: another launch of the same kernel may need more. */
static int raise_shared(struct gpu *g, cu_function f, int bytes, struct err *err)
{
    int now = 0, rc = GPU(g, err, cuFuncGetAttribute, &now, CU_FUNC_DYNAMIC_SHARED, f);
    return rc || now >= bytes ? rc
                              : GPU(g, err, cuFuncSetAttribute, f, CU_FUNC_DYNAMIC_SHARED, bytes);
}

static int allow_shared(struct gpu *g, const struct msg_launch *m, cu_function f, struct err *err)
{
    int fixed = 0, rc = GPU(g, err, cuFuncGetAttribute, &fixed, CU_FUNC_SHARED, f);
    if (rc || m->shared == 0)
        return rc;
    if ((uint64_t)fixed + m->shared > (uint64_t)g->facts.smem_block_optin)
        return err_set(err, ERR_LAUNCH,
                       "%s asks for %u bytes of shared memory; this GPU gives a block %d",
                       m->kernel, (unsigned)fixed + m->shared, g->facts.smem_block_optin);
    return raise_shared(g, f, (int)m->shared, err);
}

static int check_block(struct gpu *g, const struct msg_launch *m, cu_function f, struct err *err)
{
    int most = 0, rc = GPU(g, err, cuFuncGetAttribute, &most, CU_FUNC_THREADS_BLOCK, f);
    uint64_t threads = (uint64_t)m->block[0] * m->block[1] * m->block[2];
    if (!rc && threads > (uint64_t)most)
        return err_set(err, ERR_LAUNCH,
                       "%s is launched with %llu threads a block; with its registers %d fit",
                       m->kernel, (unsigned long long)threads, most);
    return rc;
}

/* Which streams the launches from..to-1 use, a bit each. */
static unsigned streams_of(const struct plan *p, int from, int to)
{
    unsigned streams = 0;
    for (int i = from; i < to; i++)
        streams |= 1u << p->launches[i].stream;
    return streams;
}

static int prepare_lanes(struct plan *p, struct gpu *g, struct err *err)
{
    uint64_t awaited = 0;
    for (int i = 0; i < p->n; i++)
        awaited |= p->launches[i].after;
    for (int i = 0; i < p->n; i++)
        p->launches[i].awaited = awaited >> i & 1;
    unsigned streams = streams_of(p, 0, p->n);
    return streams > 1 ? lanes_prepare(g, streams, awaited, err) : 0;
}

static int check_attributes(struct gpu *g, const struct msg_launch *m, struct err *err)
{
    const char *what = m->cluster[0] ? "thread block clusters" : "programmatic dependent launch";
    if ((m->cluster[0] || m->programmatic) && g->facts.major < 9)
        return err_set(err, ERR_LAUNCH,
                       "%s is launched with %s, which GPUs of compute capability 9.0 and later "
                       "have; this one is %d.%d",
                       m->kernel, what, g->facts.major, g->facts.minor);
    if ((m->cluster[0] || m->programmatic || m->cooperative) && !g->cu.cuLaunchKernelEx)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is launched with attributes, which drivers from CUDA 11.8 on know",
                       m->kernel);
    return 0;
}

static struct cu_launch_attribute *add_attribute(struct plan_launch *to, int id)
{
    struct cu_launch_attribute *a = &to->attributes[to->n_attributes++];
    a->id = id;
    a->value.on = 1;
    return a;
}

static void bind_attributes(struct plan_launch *to, const struct msg_launch *from)
{
    if (from->cooperative)
        add_attribute(to, CU_LAUNCH_COOPERATIVE);
    if (from->programmatic)
        add_attribute(to, CU_LAUNCH_PROGRAMMATIC);
    if (from->cluster[0])
        memcpy(add_attribute(to, CU_LAUNCH_CLUSTER)->value.cluster, from->cluster,
               sizeof from->cluster);
}

/* As far as the GPU allows: what is beyond is the driver's to refuse. */
static int allow_some_shared(struct gpu *g, const struct msg_launch *m, cu_function f,
                             struct err *err)
{
    int fixed = 0, rc = GPU(g, err, cuFuncGetAttribute, &fixed, CU_FUNC_SHARED, f);
    bool fits = (uint64_t)fixed + m->shared <= (uint64_t)g->facts.smem_block_optin;
    return rc || !m->shared || !fits ? rc : raise_shared(g, f, (int)m->shared, err);
}

static int check_launch(struct gpu *g, const struct msg_launch *m, cu_function f, bool as_is,
                        struct err *err)
{
    if (as_is)
        return allow_some_shared(g, m, f, err);
    int rc = check_block(g, m, f, err);
    return rc ? rc : allow_shared(g, m, f, err);
}

static int bind_kernel(struct plan_launch *to, struct task *t, int variant,
                       const struct msg_launch *from, const struct buffers *b, bool as_is,
                       struct err *err)
{
    struct image *image = images_find(t->images, from->source, variant);
    int rc;
    if (!image)
        return err_set(err, ERR_INTERNAL, "source %s came without its image", from->source);
    if ((rc = image_function(&to->function, t->images, image, from->kernel, err)) ||
        (rc = check_launch(t->gpu, from, to->function, as_is, err)) ||
        (rc = check_attributes(t->gpu, from, err)))
        return rc;
    to->image = image;
    bind_attributes(to, from);
    memcpy(to->grid, from->grid, sizeof to->grid);
    memcpy(to->block, from->block, sizeof to->block);
    to->shared = from->shared;
    for (int i = 0; i < from->n_args && !rc; i++) {
        rc = bind_argument(&to->values[i], t->gpu, from, i, b, err);
        to->args[i] = &to->values[i];
    }
    return rc;
}

/* It may wait for what another rank writes. */
static bool takes_peer(const struct msg_launch *l)
{
    for (int i = 0; i < l->n_args; i++)
        if (l->args[i].kind == ARG_PEER)
            return true;
    return false;
}

static int bind_launch(struct plan *p, int at, struct task *t, int variant,
                       const struct msg_launch *from, const struct buffers *b, bool as_is,
                       struct err *err)
{
    struct plan_launch *to = &p->launches[at];
    bool transfer = from->transfer.kind != TRANSFER_NONE;
    bool elsewhere =
        (from->only && from->only - 1 != t->gpu->rank) || (t->alone && takes_peer(from));
    to->stream = from->stream;
    to->after = from->after;
    to->absent = transfer ? t->alone : elsewhere;
    if (transfer)
        return t->alone ? 0 : transfer_bind(&to->transfer, t->gpu, from, at, b, err);
    return bind_kernel(to, t, variant, from, b, as_is, err);
}

static int make_plan(struct plan *out, struct task *t, int variant, const char *id,
                     const struct buffers *b, bool as_is, struct err *err)
{
    const struct msg_run *run = msg_run_find(msg_shape_of(t->measure, variant), id);
    int rc = 0;
    *out = (struct plan){.n = 0};
    if (!run)
        return err_set(err, ERR_BAD_REQUEST, "there is no run %s", id);
    out->launches = mem_new((size_t)run->n_launches + 1, sizeof *out->launches);
    out->n = run->n_launches;
    for (int i = 0; i < run->n_launches && !rc; i++)
        rc = bind_launch(out, i, t, variant, &run->launches[i], b, as_is, err);
    if (!rc)
        rc = prepare_lanes(out, t->gpu, err);
    if (rc)
        plan_free(out);
    return rc;
}

int plan_new(struct plan *out, struct task *t, int variant, const char *id, const struct buffers *b,
             struct err *err)
{
    return make_plan(out, t, variant, id, b, false, err);
}

int plan_new_as_is(struct plan *out, struct task *t, int variant, const char *id,
                   const struct buffers *b, struct err *err)
{
    return make_plan(out, t, variant, id, b, true, err);
}

void plan_free(struct plan *p)
{
    free(p->launches);
    *p = (struct plan){.n = 0};
}

static int launch_on(struct plan_launch *l, struct gpu *g, cu_stream stream, struct err *err)
{
    if (l->absent)
        return 0;
    if (!l->function)
        return transfer_enqueue(&l->transfer, g, stream, err);
    if (l->n_attributes) {
        const struct cu_launch_config how = {
            {l->grid[0], l->grid[1], l->grid[2]}, {l->block[0], l->block[1], l->block[2]},
            l->shared, stream, l->attributes, l->n_attributes};
        return GPU(g, err, cuLaunchKernelEx, &how, l->function, l->args, NULL);
    }
    return GPU(g, err, cuLaunchKernel, l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0],
               l->block[1], l->block[2], l->shared, stream, l->args, NULL);
}

static int record(struct gpu *g, const cu_event *e, int i, cu_stream stream, struct err *err)
{
    return e ? GPU(g, err, cuEventRecord, e[i], stream) : 0;
}

static int enqueue_one(const struct plan *p, struct gpu *g, int i, const struct plan_marks *m,
                       struct err *err)
{
    struct plan_launch *l = &p->launches[i];
    cu_stream stream = lanes_stream(g, l->stream);
    int rc;
    if ((rc = lanes_wait(g, l->stream, l->after, err)) ||
        (rc = record(g, m ? m->before : NULL, i, stream, err)) ||
        (rc = launch_on(l, g, stream, err)) ||
        (rc = record(g, m ? m->after : NULL, i, stream, err)))
        return rc;
    return l->awaited ? lanes_mark(g, l->stream, i, err) : 0;
}

/* After a failure too the other streams are joined, so that waiting for the main one waits for all.
 */
static int enqueue_step(const struct plan *p, struct gpu *g, int from, int to,
                        const struct plan_marks *m, struct err *err)
{
    unsigned streams = streams_of(p, from, to);
    int rc = streams > 1 ? lanes_fork(g, streams, err) : 0;
    if (rc)
        return rc;
    for (int i = from; i < to && !rc; i++)
        rc = enqueue_one(p, g, i, m, err);
    int joined = streams > 1 ? lanes_join(g, streams, rc ? NULL : err) : 0;
    return rc ? rc : joined;
}

int plan_enqueue(const struct plan *p, struct gpu *g, int from, int to, struct err *err)
{
    int rc = 0;
    if (from == 0 && to == p->n)
        return enqueue_step(p, g, from, to, NULL, err);
    for (int i = from; i < to && !rc; i++)
        rc = launch_on(&p->launches[i], g, g->stream, err);
    return rc;
}

int plan_enqueue_marked(const struct plan *p, struct gpu *g, const struct plan_marks *marks,
                        struct err *err)
{
    return enqueue_step(p, g, 0, p->n, marks, err);
}

int plan_enqueue_on_lane(const struct plan *p, struct gpu *g, int launch, struct err *err)
{
    return enqueue_one(p, g, launch, NULL, err);
}

int plan_capture(const struct plan *p, struct gpu *g, int from, int to, cu_graph_exec *out,
                 struct err *err)
{
    cu_graph graph = NULL;
    int rc = GPU(g, err, cuStreamBeginCapture_v2, g->stream, CU_CAPTURE_THREAD), ended;
    if (rc)
        return rc;
    rc = enqueue_step(p, g, from, to, NULL, err);
    ended = GPU(g, rc ? NULL : err, cuStreamEndCapture, g->stream, &graph);
    rc = rc ? rc : ended;
    rc = rc ? rc : GPU(g, err, cuGraphInstantiateWithFlags, out, graph, 0);
    if (graph && !g->lost)
        GPU(g, NULL, cuGraphDestroy, graph);
    return rc;
}

static int time_launch(const struct plan *p, struct task *t, int i, cu_event *e, float *ms,
                       struct err *err)
{
    struct gpu *g = t->gpu;
    int rc;
    if ((rc = GPU(g, err, cuEventRecord, e[0], g->stream)) ||
        (rc = plan_enqueue(p, g, i, i + 1, err)) ||
        (rc = GPU(g, err, cuEventRecord, e[1], g->stream)) || (rc = task_wait(t, err)))
        return rc;
    return GPU(g, err, cuEventElapsedTime, ms, e[0], e[1]);
}

/* The least of some times: a kernel that is loaded first makes one longer, and so does a host that
 * is late. */
static int time_least(const struct plan *p, struct task *t, int i, cu_event *e, float *ms,
                      struct err *err)
{
    enum { TIMES = 5 };
    int rc = time_launch(p, t, i, e, ms, err);
    for (int k = 1; k < TIMES && !rc; k++) {
        float again = *ms;
        rc = time_launch(p, t, i, e, &again, err);
        *ms = again < *ms ? again : *ms;
    }
    return rc;
}

/* Of launches that take about as long the first, so that one request counts what another one did:
 * a tenth is what times differ by, and a microsecond what events do not tell apart. */
static int first_of_longest(const float *ms, int n)
{
    float most = 0;
    int i = 0;
    for (int k = 0; k < n; k++)
        most = ms[k] > most ? ms[k] : most;
    while (i < n - 1 && ms[i] < 0.9F * most - 1e-3F)
        i++;
    return i;
}

static int time_all(const struct plan *p, struct task *t, float *ms, struct err *err)
{
    struct gpu *g = t->gpu;
    cu_event e[2] = {NULL, NULL};
    int rc = GPU(g, err, cuEventCreate, &e[0], CU_EVENT_PLAIN);
    rc = rc ? rc : GPU(g, err, cuEventCreate, &e[1], CU_EVENT_PLAIN);
    for (int i = 0; i < p->n && !rc; i++)
        rc = p->launches[i].absent ? 0 : time_least(p, t, i, e, &ms[i], err);
    for (int i = 0; i < 2; i++)
        if (e[i] && !g->lost)
            GPU(g, NULL, cuEventDestroy_v2, e[i]);
    return rc;
}

int plan_longest(const struct plan *p, struct task *t, int *longest, struct err *err)
{
    int here = 0;
    *longest = 0;
    for (int i = 0; i < p->n; i++)
        here += !p->launches[i].absent;
    if (here == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "GPU 0 has no kernel in this run that it could run alone");
    if (p->n == 1)
        return 0;
    float *ms = mem_new((size_t)p->n, sizeof *ms);
    for (int i = 0; i < p->n; i++)
        ms[i] = -1; /* one of another GPU is never the longest */
    int rc = time_all(p, t, ms, err);
    if (!rc)
        *longest = first_of_longest(ms, p->n);
    free(ms);
    return rc;
}

const struct image *plan_image(const struct plan *p)
{
    int first = 0;
    while (!p->launches[first].image)
        first++;
    return p->launches[first].image;
}

cu_function plan_function(const struct plan *p, int launch)
{
    return p->launches[launch].function;
}

int plan_ballast(struct plan *p, struct gpu *g, uint32_t bytes, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < p->n && !rc; i++) {
        struct plan_block block;
        if (!p->launches[i].function)
            continue;
        if ((rc = plan_block(p, g, i, &block, err)))
            break;
        if ((uint64_t)block.shared + bytes > (uint64_t)g->facts.smem_block_optin)
            return err_set(err, ERR_LAUNCH,
                           "a block has %u bytes of shared memory; with %u more it would pass the "
                           "%d that this GPU gives a block",
                           block.shared, (unsigned)bytes, g->facts.smem_block_optin);
        p->launches[i].shared += bytes;
        rc = raise_shared(g, p->launches[i].function, (int)p->launches[i].shared, err);
    }
    return rc;
}

void plan_prefer_shared(const struct plan *p, struct gpu *g, bool on)
{
    for (int i = 0; i < p->n && !g->lost; i++)
        if (p->launches[i].function)
            GPU(g, NULL, cuFuncSetAttribute, p->launches[i].function, CU_FUNC_CARVEOUT,
                on ? 100 : -1);
}

int plan_block(const struct plan *p, struct gpu *g, int launch, struct plan_block *out,
               struct err *err)
{
    const struct plan_launch *l = &p->launches[launch];
    int fixed = 0, rc = GPU(g, err, cuFuncGetAttribute, &fixed, CU_FUNC_SHARED, l->function);
    *out =
        (struct plan_block){l->block[0] * l->block[1] * l->block[2], (unsigned)fixed + l->shared};
    return rc;
}

int plan_tell_cap(const struct plan *p, struct gpu *g, int cap, struct msg_part *part,
                  struct err *err)
{
    int registers = 0, local = 0, rc = 0;
    for (int i = 0; i < p->n && !rc; i++) {
        int r = 0, l = 0;
        if (!p->launches[i].function)
            continue;
        if ((rc = GPU(g, err, cuFuncGetAttribute, &r, CU_FUNC_REGS, p->launches[i].function)) ||
            (rc = GPU(g, err, cuFuncGetAttribute, &l, CU_FUNC_LOCAL, p->launches[i].function)))
            return rc;
        registers = r > registers ? r : registers;
        local = l > local ? l : local;
    }
    part_value(part, "registers", registers);
    part_value(part, "local_bytes", local);
    if (registers > cap)
        part_note(part,
                  "cap ignored: %d registers, for the kernel has __launch_bounds__ or cannot do "
                  "with %d",
                  registers, cap);
    return rc;
}

int plan_replace(struct plan *p, struct gpu *g, int launch, cu_function f, struct err *err)
{
    struct plan_launch *l = &p->launches[launch];
    int most = 0, rc = GPU(g, err, cuFuncGetAttribute, &most, CU_FUNC_THREADS_BLOCK, f);
    if (rc || (l->shared && (rc = raise_shared(g, f, (int)l->shared, err))))
        return rc;
    if (l->block[0] * l->block[1] * l->block[2] > (unsigned)most)
        return err_set(err, ERR_LAUNCH,
                       "a block of %u threads does not fit with its registers; %d do",
                       l->block[0] * l->block[1] * l->block[2], most);
    l->function = f;
    return 0;
}
