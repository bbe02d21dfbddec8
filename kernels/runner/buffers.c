#include "kernels/runner/buffers.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/runner/fence.h"
#include "kernels/wire/text.h"

enum {
    GUARD = 4096,
    GUARD_BYTE = 0xa5,
    VECTOR = 16 /* the widest load, and what its address must divide by */
};
#define MEMORY_SHARE 0.6

struct buffer {
    cu_ptr base;           /* of the allocation; 0 behind a fence */
    struct fence fence;
    cu_ptr at;
    uint64_t bytes, before, after; /* canaries on either side */
    int type;
    enum buffer_role role;
    struct msg_fill fill;
    uint64_t count, seed;
    uint64_t grain; /* bytes of which a move of the base is a multiple */
};

struct buffers {
    struct gpu *gpu;
    const struct buffers *next; /* of the next rank; NULL alone */
    struct buffer *list;
    int n;
    struct placement where;
    cu_ptr hashes;         /* one u64 for each buffer */
    uint64_t *before;      /* hashes of the inputs as they were filled */
    bool hashed;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t seed_of(uint64_t seed, int buffer)
{
    return mix(seed + 0x9e3779b97f4a7c15u * (uint64_t)(buffer + 1));
}

/* Is a tensor map made of it? Such a base lies on 16 bytes. */
static bool is_mapped(const struct msg_shape *shape, int buffer)
{
    for (int r = 0; r < shape->n_runs; r++)
        for (int l = 0; l < shape->runs[r].n_launches; l++) {
            const struct msg_launch *launch = &shape->runs[r].launches[l];
            for (int a = 0; a < launch->n_args; a++)
                if (launch->args[a].kind == ARG_MAP && launch->args[a].buffer == buffer)
                    return true;
        }
    return false;
}

static void describe(struct buffers *b, const struct msg_shape *shape, uint64_t seed, bool truth)
{
    b->n = shape->n_buffers;
    b->list = mem_new((size_t)b->n + 1, sizeof *b->list);
    b->before = mem_new((size_t)b->n + 1, sizeof *b->before);
    for (int i = 0; i < b->n; i++) {
        const struct msg_buffer *m = &shape->buffers[i];
        int type = truth && m->role == ROLE_OUTPUT ? T_F64 : (int)m->type;
        b->list[i] = (struct buffer){.type = type,
                                     .role = m->role,
                                     .fill = m->fill,
                                     .count = m->count,
                                     .grain = is_mapped(shape, i)
                                                  ? VECTOR
                                                  : (uint64_t)elem_size((enum elem_type)type),
                                     .bytes = m->count * (uint64_t)elem_size((enum elem_type)type),
                                     .seed = seed_of(seed, i)};
    }
}

static int check_memory(struct buffers *b, struct err *err)
{
    size_t room = 0, total = 0;
    int rc = GPU(b->gpu, err, cuMemGetInfo_v2, &room, &total);
    double needed = 0;
    for (int i = 0; i < b->n; i++)
        needed += (double)b->list[i].bytes + 2 * GUARD;
    if (!rc && needed > MEMORY_SHARE * (double)room)
        return err_set(err, ERR_TOO_LARGE,
                       "the buffers need %.0f MB; the cap is 60 %% of the free memory, %.0f MB",
                       needed / 1e6, MEMORY_SHARE * (double)room / 1e6);
    return rc;
}

static int fill(struct buffers *b, const struct buffer *f, enum fill_kind kind, double lo,
                double hi, uint64_t seed, struct err *err)
{
    cu_ptr p = f->at;
    uint64_t count = f->count;
    int type = f->type, how = (int)kind;
    void *args[] = {&p, &count, &type, &how, &lo, &hi, &seed};
    return count ? gpu_launch(b->gpu, OWN_FILL, gpu_grid(b->gpu, count), 256, args, err) : 0;
}

static int fill_declared(struct buffers *b, const struct buffer *f, struct err *err)
{
    return fill(b, f, f->fill.kind, f->fill.a, f->fill.b, f->seed, err);
}

static int set_bytes(struct buffers *b, cu_ptr p, unsigned char value, uint64_t n, struct err *err)
{
    return n ? GPU(b->gpu, err, cuMemsetD8Async, p, value, n, b->gpu->stream) : 0;
}

static int poison_buffer(struct buffers *b, const struct buffer *f, enum poison poison,
                         struct err *err)
{
    if (poison != POISON_RANDOM)
        return set_bytes(b, f->at, poison == POISON_NAN ? 0xff : 0, f->bytes, err);
    return fill(b, f, FILL_UNIFORM, 1, 100, mix(f->seed + 1), err);
}

static int mend(struct buffers *b, const struct buffer *f, struct err *err)
{
    int rc;
    if ((rc = set_bytes(b, f->at - f->before, GUARD_BYTE, f->before, err)) ||
        (rc = set_bytes(b, f->at + f->bytes, GUARD_BYTE, f->after, err)))
        return rc;
    return f->role == ROLE_INPUT ? fill_declared(b, f, err) : 0;
}

int buffers_mend(struct buffers *b, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < b->n && !rc; i++)
        rc = mend(b, &b->list[i], err);
    return rc;
}

int buffers_reseed(struct buffers *b, uint64_t seed, struct err *err)
{
    for (int i = 0; i < b->n; i++)
        b->list[i].seed = seed_of(seed, i);
    return buffers_mend(b, err);
}

static int place_freely(struct buffers *b, struct buffer *f, uint64_t shift, struct err *err)
{
    f->before = f->after = b->where.bare ? 0 : GUARD;
    int rc = GPU(b->gpu, err, cuMemAlloc_v2, &f->base, f->bytes + f->before + f->after + shift);
    f->at = f->base + f->before + shift;
    return rc;
}

static int place_at_fence(struct buffers *b, struct buffer *f, uint64_t shift, struct err *err)
{
    int rc = fence_new(&f->fence, b->gpu, GUARD + f->bytes + shift + VECTOR, err);
    cu_ptr end = f->fence.at + f->fence.mapped;
    f->before = GUARD;
    f->at = (end - f->bytes - shift) / VECTOR * VECTOR + shift;
    f->after = end - f->bytes - f->at;
    return rc;
}

static int place(struct buffers *b, struct err *err)
{
    int rc = GPU(b->gpu, err, cuMemAlloc_v2, &b->hashes, 8 * ((size_t)b->n + 1));
    for (int i = 0; i < b->n && !rc; i++) {
        struct buffer *f = &b->list[i];
        uint64_t shift = ((uint64_t)b->where.offset + f->grain - 1) / f->grain * f->grain;
        rc = b->where.fence ? place_at_fence(b, f, shift, err) : place_freely(b, f, shift, err);
    }
    return rc;
}

static int make(struct buffers **out, struct gpu *g, const struct msg_shape *shape, uint64_t seed,
                bool truth, const struct placement *where, struct err *err)
{
    struct buffers *b = mem_new(1, sizeof *b);
    b->gpu = g;
    b->where = *where;
    describe(b, shape, seed + (uint64_t)g->rank, truth);
    int rc = check_memory(b, err);
    if (!rc && !(rc = place(b, err)) && !(rc = buffers_mend(b, err)))
        rc = where->bare ? buffers_refill(b, err) : buffers_restore(b, POISON_NAN, err);
    if (rc) {
        buffers_free(b);
        b = NULL;
    }
    *out = b;
    return rc;
}

int buffers_new(struct buffers **out, struct gpu *g, const struct msg_shape *shape, uint64_t seed,
                bool truth, struct err *err)
{
    return make(out, g, shape, seed, truth, &(struct placement){.offset = 0}, err);
}

int buffers_new_at(struct buffers **out, struct gpu *g, const struct msg_shape *shape,
                   uint64_t seed, const struct placement *where, struct err *err)
{
    return make(out, g, shape, seed, false, where, err);
}

void buffers_free(struct buffers *b)
{
    if (!b)
        return;
    for (int i = 0; i < b->n && !b->gpu->lost; i++) {
        fence_free(&b->list[i].fence, b->gpu);
        if (b->list[i].base)
            GPU(b->gpu, NULL, cuMemFree_v2, b->list[i].base);
    }
    if (b->hashes && !b->gpu->lost)
        GPU(b->gpu, NULL, cuMemFree_v2, b->hashes);
    free(b->list);
    free(b->before);
    free(b);
}

cu_ptr buffers_at(const struct buffers *b, int index)
{
    return b->list[index].at;
}

void buffers_set_next(struct buffers *b, const struct buffers *next)
{
    b->next = next;
}

cu_ptr buffers_at_next(const struct buffers *b, int index)
{
    return buffers_at(b->next, index);
}

uint64_t buffers_gap(const struct buffers *b, int index)
{
    return b->where.fence ? b->list[index].after : 0;
}

int buffers_type(const struct buffers *b, int index)
{
    return b->list[index].type;
}

uint64_t buffers_bytes(const struct buffers *b, int index)
{
    return b->list[index].bytes;
}

uint64_t buffers_footprint(const struct buffers *b)
{
    uint64_t sum = 0;
    for (int i = 0; i < b->n; i++)
        sum += b->list[i].bytes;
    return sum;
}

int buffers_refill(struct buffers *b, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < b->n && !rc; i++)
        if (b->list[i].role == ROLE_INOUT)
            rc = fill_declared(b, &b->list[i], err);
    return rc;
}

int buffers_restore(struct buffers *b, enum poison poison, struct err *err)
{
    int rc = buffers_refill(b, err);
    for (int i = 0; i < b->n && !rc; i++)
        if (b->list[i].role == ROLE_OUTPUT || b->list[i].role == ROLE_WORKSPACE)
            rc = poison_buffer(b, &b->list[i], poison, err);
    return rc;
}

static int count_broken(struct buffers *b, cu_ptr p, uint64_t n, uint64_t *broken, struct err *err)
{
    unsigned char guard[GUARD];
    int rc = n ? GPU(b->gpu, err, cuMemcpyDtoH_v2, guard, p, n) : 0;
    for (uint64_t i = 0; i < n && !rc; i++)
        *broken += guard[i] != GUARD_BYTE;
    return rc;
}

int buffers_canaries(struct buffers *b, uint64_t *broken, struct err *err)
{
    int rc = 0;
    *broken = 0;
    for (int i = 0; i < b->n && !rc; i++) {
        const struct buffer *f = &b->list[i];
        if (!(rc = count_broken(b, f->at - f->before, f->before, broken, err)))
            rc = count_broken(b, f->at + f->bytes, f->after, broken, err);
    }
    return rc;
}

/* Whole words only: the last one to three bytes of an odd buffer are not covered. */
int buffers_hash_inputs(struct buffers *b, struct err *err)
{
    int rc = set_bytes(b, b->hashes, 0, 8 * (uint64_t)b->n, err);
    for (int i = 0; i < b->n && !rc; i++) {
        cu_ptr p = b->list[i].at, out = b->hashes + 8 * (uint64_t)i;
        uint64_t words = b->list[i].bytes / 4;
        void *args[] = {&p, &words, &out};
        if (b->list[i].role == ROLE_INPUT && words)
            rc = gpu_launch(b->gpu, OWN_HASH, gpu_grid(b->gpu, words), 256, args, err);
    }
    return rc;
}

int buffers_inputs_changed(struct buffers *b, int *changed, struct err *err)
{
    uint64_t *now = mem_new((size_t)b->n + 1, sizeof *now);
    int rc = b->n ? GPU(b->gpu, err, cuMemcpyDtoH_v2, now, b->hashes, 8 * (size_t)b->n) : 0;
    *changed = 0;
    for (int i = 0; i < b->n && !rc; i++) {
        *changed += b->hashed && now[i] != b->before[i];
        if (!b->hashed)
            b->before[i] = now[i];
    }
    b->hashed = b->hashed || !rc;
    free(now);
    return rc;
}
