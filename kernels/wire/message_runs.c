/* A run of a request: launches of kernels with their extents and order, steps of the host between
 * them, and which of them a graph may hold. Arguments, steps and transfers have files of their
 * own. */
#include "kernels/wire/message_runs.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/message_names.h"
#include "kernels/wire/text.h"

/* ---- launches ---- */

static void decode_extent(uint32_t out[3], const struct fields *f, const char *key,
                          const int64_t most[3])
{
    json_t *list = fields_array(f, key, 3);
    out[0] = out[1] = out[2] = 1;
    if (list && json_array_size(list) == 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "is empty");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        json_int_t n = json_integer_value(value);
        if (!json_is_integer(value) || n < 1)
            fields_fail(f, key, ERR_BAD_REQUEST, "must hold whole numbers of at least 1");
        else if (n > most[i])
            fields_fail(f, key, ERR_TOO_LARGE, "[%zu] is %lld, CUDA allows %lld", i, (long long)n,
                        (long long)most[i]);
        else
            out[i] = (uint32_t)n;
    }
}

/* Figures of the CUDA programming guide: 8 blocks are what every GPU with clusters can place. */
static void decode_cluster(struct msg_launch *l, const struct fields *f)
{
    static const int64_t most[3] = {CAP_CLUSTER, CAP_CLUSTER, CAP_CLUSTER};
    if (!fields_has(f, "cluster"))
        return;
    decode_extent(l->cluster, f, "cluster", most);
    if (f->state->code)
        return;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > CAP_CLUSTER)
        fields_fail(f, "cluster", ERR_TOO_LARGE, "has more than %d blocks", CAP_CLUSTER);
    for (int i = 0; i < 3 && !f->state->code; i++)
        if (l->grid[i] % l->cluster[i])
            fields_fail(f, "cluster", ERR_BAD_REQUEST, "[%d] is %u, which does not divide %u of "
                        "the grid", i, (unsigned)l->cluster[i], (unsigned)l->grid[i]);
}

/* Where launch `at` stands among the others of its run: numbers of earlier launches, whose streams
 * are known. */
static void decode_after(struct msg_launch *l, const struct fields *f,
                         const struct msg_launch *before, int at)
{
    json_t *list = fields_has(f, "after") ? fields_array(f, "after", CAP_LAUNCHES) : NULL;
    for (size_t i = 0; i < json_array_size(list) && !f->state->code; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t k = json_is_integer(value) ? json_integer_value(value) : -1;
        if (k < 0 || k >= at)
            fields_fail(f, "after", ERR_BAD_REQUEST,
                        "must hold numbers of earlier launches, counted from 0");
        else if (before[k].stream == l->stream)
            fields_fail(f, "after", ERR_BAD_REQUEST,
                        "names launch %d, which is on the same stream and waited for anyway",
                        (int)k);
        else if (l->after >> k & 1)
            fields_fail(f, "after", ERR_BAD_REQUEST, "names launch %d twice", (int)k);
        else
            l->after |= (uint64_t)1 << k;
    }
}

static void decode_launch(struct msg_launch *l, const struct fields *f, const struct msg_measure *m,
                          const struct msg_shape *s)
{
    static const int64_t grid_most[3] = {INT32_MAX, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    enum { THREADS_MOST = 1024, SHARED_MOST = 1 << 20 };
    fields_only(f, "source kernel grid block shared args stream after cluster cooperative "
                   "programmatic rank");
    fields_name(f, "source", l->source, sizeof l->source);
    if (!f->state->code && !msg_source_find(m, l->source))
        fields_fail(f, "source", ERR_BAD_REQUEST, "names no source: %s", l->source);
    fields_name(f, "kernel", l->kernel, sizeof l->kernel);
    decode_extent(l->grid, f, "grid", grid_most);
    decode_extent(l->block, f, "block", block_most);
    if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > THREADS_MOST)
        fields_fail(f, "block", ERR_TOO_LARGE, "has more than %d threads", THREADS_MOST);
    if (fields_has(f, "shared"))
        l->shared = (uint32_t)fields_whole(f, "shared", 0, SHARED_MOST);
    decode_cluster(l, f);
    l->cooperative = fields_has(f, "cooperative") && fields_bool(f, "cooperative");
    l->programmatic = fields_has(f, "programmatic") && fields_bool(f, "programmatic");
    if (fields_has(f, "stream"))
        l->stream = (int)fields_whole(f, "stream", 0, CAP_STREAMS - 1);
    l->only = rank_decode(f, m->ranks);
    json_t *args = fields_array(f, "args", CAP_ARGS);
    for (size_t i = 0; i < json_array_size(args); i++) {
        struct fields a = fields_enter(f, json_array_get(args, i), "args[%zu]", i);
        l->args[l->n_args++] = arg_decode(&a, s, m->ranks);
    }
}

/* ---- runs ---- */

/* One of a run's list: a launch, or another step of the host. */
static void decode_step(struct msg_run *r, const struct fields *f, const struct msg_measure *m,
                        const struct msg_shape *s)
{
    struct msg_step *step = &r->steps[r->n_steps++];
    if (fields_has(f, "step") && !transfer_is(f)) {
        step_decode(step, f, s, m->ranks);
        return;
    }
    if (r->n_launches == CAP_LAUNCHES) {
        fields_fail(f, NULL, ERR_TOO_LARGE, "is one launch too many, the cap is %d", CAP_LAUNCHES);
        return;
    }
    *step = (struct msg_step){.kind = HOST_LAUNCH, .launch = r->n_launches};
    struct msg_launch *l = &r->launches[r->n_launches];
    if (transfer_is(f))
        transfer_decode(l, f, s, m->ranks);
    else
        decode_launch(l, f, m, s);
    decode_after(l, f, r->launches, r->n_launches);
    r->n_launches++;
}

/* The graph that a launch is part of: the step that captures it; -1: none. */
static int graph_of(const struct msg_run *r, int launch)
{
    int graph = -1;
    for (int i = 0; i < r->n_steps; i++) {
        const struct msg_step *s = &r->steps[i];
        if (s->kind == HOST_CAPTURE || s->kind == HOST_REPLAY)
            graph = s->kind == HOST_CAPTURE ? i : -1;
        if (s->kind == HOST_LAUNCH && s->launch == launch)
            return graph;
    }
    return graph;
}

/* An event of a capture means nothing outside of it, and the other way round. */
static void check_graphs(const struct msg_run *r, const struct fields *f, const char *id)
{
    for (int i = 0; i < r->n_launches; i++)
        for (int k = 0; k < i && !f->state->code; k++)
            if (r->launches[i].after >> k & 1 && graph_of(r, i) != graph_of(r, k))
                fields_fail(f, id, ERR_BAD_REQUEST,
                            "has launch %d wait for launch %d, which is not in the same graph", i,
                            k);
    for (int i = 0; i < r->n_launches && !f->state->code; i++)
        if (r->launches[i].transfer.kind && graph_of(r, i) >= 0)
            fields_fail(f, id, ERR_BAD_REQUEST, "has %s in a graph, where only kernels may be",
                        r->launches[i].kernel);
}

static bool has_kernel(const struct msg_run *r)
{
    bool has = false;
    for (int i = 0; i < r->n_launches; i++)
        has = has || !r->launches[i].transfer.kind;
    return has;
}

/* A run of nothing but launches has no steps of its own. */
static void settle_steps(struct msg_run *r, const struct fields *f, const char *id)
{
    int at = 0;
    const char *fault = f->state->code ? NULL : steps_fault(r->steps, r->n_steps, &at);
    if (fault) {
        struct fields step = fields_enter(f, f->object, "%s[%d]", id, at);
        fields_fail(&step, NULL, ERR_BAD_REQUEST, "%s", fault);
    }
    check_graphs(r, f, id);
    if (!f->state->code && !has_kernel(r))
        fields_fail(f, id, ERR_BAD_REQUEST, "launches no kernel");
    if (r->n_steps == r->n_launches) {
        free(r->steps);
        r->steps = NULL;
        r->n_steps = 0;
    }
}

static void decode_run(struct msg_run *r, const struct fields *f, const char *id, json_t *list,
                       const struct msg_measure *m, const struct msg_shape *s)
{
    size_t n = json_array_size(list);
    fields_check_name(f, id, sizeof r->id);
    if (!json_is_array(list) || n == 0)
        fields_fail(f, id, ERR_BAD_REQUEST, "must be an array of launches, not empty");
    else if (n > CAP_STEPS)
        fields_fail(f, id, ERR_TOO_LARGE, "has %zu steps, the cap is %d", n, CAP_STEPS);
    if (f->state->code)
        return;
    strcpy(r->id, id);
    r->launches = mem_new(n, sizeof *r->launches);
    r->steps = mem_new(n, sizeof *r->steps);
    for (size_t i = 0; i < n && !f->state->code; i++) {
        struct fields l = fields_enter(f, json_array_get(list, i), "%s[%zu]", id, i);
        decode_step(r, &l, m, s);
    }
    settle_steps(r, f, id);
}

void runs_decode(struct msg_shape *s, const struct fields *f, const struct msg_measure *m)
{
    json_t *all = fields_object(f, "runs", CAP_RUNS), *list;
    struct fields inside = fields_enter(f, all, "runs");
    const char *id;
    s->runs = mem_new(json_object_size(all), sizeof *s->runs);
    json_object_foreach(all, id, list)
        decode_run(&s->runs[s->n_runs++], &inside, id, list, m, s);
}

const struct msg_run *msg_run_find(const struct msg_shape *s, const char *id)
{
    for (int i = 0; i < s->n_runs; i++)
        if (!strcmp(s->runs[i].id, id))
            return &s->runs[i];
    return NULL;
}

const struct msg_launch *msg_run_first(const struct msg_run *r)
{
    const struct msg_launch *l = r->launches;
    while (l->transfer.kind)
        l++;
    return l;
}

/* ---- on the way out ---- */

static json_t *encode_extent(const uint32_t n[3])
{
    json_t *list = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(list, json_integer(n[i]));
    return list;
}

static json_t *encode_after(uint64_t after)
{
    json_t *list = json_array();
    for (int k = 0; k < CAP_LAUNCHES; k++)
        if (after >> k & 1)
            json_array_append_new(list, json_integer(k));
    return list;
}

static json_t *encode_kernel(const struct msg_launch *l, const struct msg_shape *s)
{
    json_t *o = json_object(), *args = json_array();
    for (int i = 0; i < l->n_args; i++)
        json_array_append_new(args, arg_encode(&l->args[i], s));
    set(o, "source", json_string(l->source));
    set(o, "kernel", json_string(l->kernel));
    set(o, "grid", encode_extent(l->grid));
    set(o, "block", encode_extent(l->block));
    set(o, "shared", json_integer(l->shared));
    set(o, "args", args);
    if (l->cluster[0])
        set(o, "cluster", encode_extent(l->cluster));
    if (l->cooperative)
        set(o, "cooperative", json_true());
    if (l->programmatic)
        set(o, "programmatic", json_true());
    return o;
}

static json_t *encode_launch(const struct msg_launch *l, const struct msg_shape *s)
{
    json_t *o = l->transfer.kind ? transfer_encode(l, s) : encode_kernel(l, s);
    if (l->stream)
        set(o, "stream", json_integer(l->stream));
    if (l->after)
        set(o, "after", encode_after(l->after));
    if (l->only)
        set(o, "rank", json_integer(l->only - 1));
    return o;
}

json_t *run_encode(const struct msg_run *r, const struct msg_shape *s)
{
    json_t *list = json_array();
    for (int i = 0; i < r->n_launches && !r->n_steps; i++)
        json_array_append_new(list, encode_launch(&r->launches[i], s));
    for (int i = 0; i < r->n_steps; i++)
        json_array_append_new(list, r->steps[i].kind == HOST_LAUNCH
                                        ? encode_launch(&r->launches[r->steps[i].launch], s)
                                        : step_encode(&r->steps[i], s));
    return list;
}
