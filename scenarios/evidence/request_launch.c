/* A launch of a request: its formulas evaluated, its arguments bound. */
#include "scenarios/evidence/request_inside.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

int make_whole(struct making *k, const struct expr *e, int64_t low, int64_t high,
               const char *what, int64_t *out)
{
    int rc = size_whole(k->v->story, k->device, k->values, e, out, k->err);
    if (rc)
        return rc;
    if (*out >= low && *out <= high)
        return 0;
    err_set(k->err, ERR_BAD_REQUEST, "%s is %lld; it must lie between %lld and %lld", what,
            (long long)*out, (long long)low, (long long)high);
    return expr_fail(e, 1, k->v->story->pack, k->err);
}

static int make_extent(struct making *k, uint32_t out[3], const struct expr *e, int n, bool grid)
{
    static const int64_t most[2][3] = {{1024, 1024, 64}, {INT_MAX, 65535, 65535}};
    for (int i = 0; i < 3; i++) {
        int64_t value = 1;
        int rc = i < n ? make_whole(k, &e[i], 1, most[grid][i], grid ? "grid" : "block", &value) : 0;
        if (rc)
            return rc;
        out[i] = (uint32_t)value;
    }
    int64_t threads = (int64_t)out[0] * out[1] * out[2];
    if (grid || threads <= 1024)
        return 0;
    err_set(k->err, ERR_BAD_REQUEST, "a block has %lld threads; at most 1024 were expected",
            (long long)threads);
    return expr_fail(&e[0], 1, k->v->story->pack, k->err);
}

static int make_real(struct making *k, struct msg_arg *out, const struct expr *e)
{
    struct quantity q = {0};
    int rc = size_value(k->v->story, k->device, k->values, e, &q, k->err);
    if (rc)
        return rc;
    out->f = q.value;
    if (out->kind == ARG_F64 || fabs(q.value) <= (double)FLT_MAX)
        return 0;
    err_set(k->err, ERR_BAD_REQUEST, "the value is beyond the range of a float");
    return expr_fail(e, 1, k->v->story->pack, k->err);
}

/* What the map is told of is held against the buffer, which has its size by now. */
static int make_map(struct making *k, struct msg_arg *out, const struct msg_shape *s,
                    const struct arg *from)
{
    const struct arg_map *m = from->map;
    int64_t size[CAP_MAP_RANK], pitch[CAP_MAP_RANK] = {0}, box[CAP_MAP_RANK];
    int rc = 0;
    out->buffer = from->index;
    out->map = (struct msg_map){.rank = m->rank, .swizzle = m->swizzle};
    for (int i = 0; i < m->rank && rc == 0; i++) {
        if ((rc = make_whole(k, &m->size[i], 1, INT64_MAX, "size", &size[i])) ||
            (rc = make_whole(k, &m->box[i], 1, UINT32_MAX, "box", &box[i])) ||
            (i > 0 && (rc = make_whole(k, &m->pitch[i - 1], 1, INT64_MAX, "pitch", &pitch[i - 1]))))
            return rc;
        out->map.size[i] = (uint64_t)size[i];
        out->map.box[i] = (uint32_t)box[i];
        if (i > 0)
            out->map.pitch[i - 1] = (uint64_t)pitch[i - 1];
    }
    const struct msg_buffer *b = &s->buffers[from->index];
    char why[128];
    if (map_holds(&out->map, b->type, b->count, why, sizeof why))
        return 0;
    err_set(k->err, ERR_BAD_REQUEST, "a map of %s: %s", b->name, why);
    return expr_fail(&m->size[0], 1, k->v->story->pack, k->err);
}

static int make_arg(struct making *k, struct msg_arg *out, const struct msg_shape *s,
                    const struct arg *from)
{
    *out = (struct msg_arg){.kind = from->kind};
    if (from->kind == ARG_MAP)
        return make_map(k, out, s, from);
    if (from->kind == ARG_BUFFER || from->kind == ARG_PEER) {
        out->buffer = from->index;
        return 0;
    }
    if (from->kind == ARG_RANK)
        return 0;
    const struct expr *e = from->value.f ? &from->value : &k->v->story->params[from->index].value;
    if (from->kind == ARG_F32 || from->kind == ARG_F64)
        return make_real(k, out, e);
    if (!from->value.f)
        out->i = k->values[from->index];
    else if (make_whole(k, e, 0, INT64_MAX, "the argument", &out->i))
        return k->err->code;
    if (from->kind == ARG_I64 || out->i <= INT32_MAX)
        return 0;
    err_set(k->err, ERR_BAD_REQUEST, "%lld does not fit an i32 argument; write {i64: ...}",
            (long long)out->i);
    return expr_fail(e, 1, k->v->story->pack, k->err);
}

/* Clusters and programmatic launches came with Hopper. */
static int check_compute(struct making *k, const struct launch *from)
{
    double compute = 0;
    msg_device_number(k->device, "compute", &compute);
    if (compute >= 9)
        return 0;
    return err_set(k->err, ERR_BAD_REQUEST,
                   "%s:%d:%d: %s is launched with attributes that need compute capability 9.0; a "
                   "story says so by `needs: {compute: 9.0}`",
                   from->file, from->line, from->col, from->kernel);
}

static int make_cluster(struct making *k, struct msg_launch *out, const struct launch *from)
{
    uint32_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        int64_t value = 1;
        if (i < from->n_cluster &&
            make_whole(k, &from->cluster[i], 1, CAP_CLUSTER, "cluster", &value))
            return k->err->code;
        out->cluster[i] = (uint32_t)value;
        blocks *= (uint32_t)value;
        if (out->grid[i] % out->cluster[i])
            err_set(k->err, ERR_BAD_REQUEST, "%u blocks of a cluster do not divide %u of the grid",
                    (unsigned)out->cluster[i], (unsigned)out->grid[i]);
        else if (blocks > CAP_CLUSTER)
            err_set(k->err, ERR_BAD_REQUEST,
                    "a cluster has %u blocks; at most %d were expected", (unsigned)blocks,
                    CAP_CLUSTER);
        if (out->grid[i] % out->cluster[i] || blocks > CAP_CLUSTER)
            return expr_fail(&from->cluster[0], 1, k->v->story->pack, k->err);
    }
    return 0;
}

static int make_attributes(struct making *k, struct msg_launch *out, const struct launch *from)
{
    out->cooperative = from->cooperative;
    out->programmatic = from->programmatic;
    int rc = from->n_cluster || from->programmatic ? check_compute(k, from) : 0;
    return rc || !from->n_cluster ? rc : make_cluster(k, out, from);
}

/* Held against its buffers, which have their sizes by now. */
static int make_transfer(struct making *k, struct msg_launch *out, const struct msg_shape *s,
                     const struct launch *from)
{
    const struct transfer *m = from->transfer;
    const struct msg_buffer *a = &s->buffers[m->from], *b = &s->buffers[m->to];
    int64_t first = 0, count;
    char why[160];
    if (m->first.f && make_whole(k, &m->first, 0, INT64_MAX, "first", &first))
        return k->err->code;
    count = (int64_t)a->count - first;
    if (m->count.f && make_whole(k, &m->count, 1, INT64_MAX, "count", &count))
        return k->err->code;
    out->transfer = (struct msg_transfer){m->kind, m->from, m->to, (uint64_t)first,
                                  count > 0 ? (uint64_t)count : 0, m->through_host};
    for (int i = 0; i < 3; i++)
        out->grid[i] = out->block[i] = 1;
    if (transfer_holds(&out->transfer, a, b, k->v->story->gpus, why, sizeof why))
        return 0;
    return err_set(k->err, ERR_BAD_REQUEST, "%s:%d:%d: %s of %s cannot be: %s", from->file,
                   from->line, from->col, from->kernel, a->name, why);
}

int make_launch(struct making *k, struct msg_launch *out, const struct msg_shape *s,
                const struct launch *from, const char *source)
{
    int64_t shared = 0;
    snprintf(out->source, sizeof out->source, "%s", from->transfer ? "" : source);
    snprintf(out->kernel, sizeof out->kernel, "%s", from->kernel);
    out->stream = from->stream;
    out->after = from->after;
    out->only = from->only;
    if (from->transfer)
        return make_transfer(k, out, s, from);
    int rc = make_extent(k, out->grid, from->grid, from->n_grid, true);
    if (rc == 0)
        rc = make_extent(k, out->block, from->block, from->n_block, false);
    if (rc == 0)
        rc = make_attributes(k, out, from);
    if (rc == 0 && from->shared.f)
        rc = make_whole(k, &from->shared, 0, 1 << 20, "shared", &shared);
    out->shared = (uint32_t)shared;
    for (int i = 0; rc == 0 && i < from->n_args && i < CAP_ARGS; i++)
        rc = make_arg(k, &out->args[out->n_args++], s, &from->args[i]);
    return rc;
}
