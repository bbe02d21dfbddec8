// out = softmax(q k^T / sqrt(128)) v for each head, where a token sees itself and what came before it.
// Tiles are 128 tokens, or as many keys. One thread fetches those of k and v through a ring in shared
// memory; two groups of four warps have 64 tokens each, with scores, weights and results in registers.
#include "warpdrill.h"

typedef unsigned short bf16;

constexpr int TILE = 128, WIDE = 128;               // tokens, and numbers of a head
constexpr int PART = 64;                            // of a head that a row in shared memory has
constexpr int DEPTH = STAGES;                       // slots of the ring
constexpr float SCALE = 0.08838834764f;
constexpr float SLACK = 8;                          // by which a score may pass the maximum

struct slot { bf16 part[2][TILE * PART]; };         // of k or of v
struct rows { bf16 part[2][64 * PART]; };           // of q or of the result, a group's own
struct ring {
    slot slots[DEPTH];
    rows q[2], out[2];
    uint64_t full[DEPTH], empty[DEPTH], q_full[2], q_empty[2];
};

// Where a thread stands in the ring: a barrier's phase turns with each round.
struct place {
    int slot = 0;
    unsigned phase = 0;
    __device__ void next() { if (++slot == DEPTH) { slot = 0; phase ^= 1; } }
};

static __device__ unsigned shared_at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// ---- barriers ----

// Of so many threads, by one of the numbers 1 to 15.
static __device__ void meet(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(number), "r"(threads) : "memory");
}

static __device__ void barrier_init(uint64_t *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(shared_at(bar)), "r"(arrivals) : "memory");
}

static __device__ void barrier_wait(uint64_t *bar, unsigned phase)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(shared_at(bar)), "r"(phase) : "memory");
    while (!done);
}

static __device__ void barrier_expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(shared_at(bar)), "r"(bytes) : "memory");
}

// For a whole group.
static __device__ void release(uint64_t *bar)
{
    if (threadIdx.x % 128 == 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(shared_at(bar)) : "memory");
}

// ---- copies ----

static __device__ void fetch(void *to, const tensor_map *map, int along, int row, uint64_t *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        :: "r"(shared_at(to)), "l"(map), "r"(along), "r"(row), "r"(shared_at(bar)) : "memory");
}

static __device__ void send(const tensor_map *map, int along, int row, const void *from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\ncp.async.bulk.commit_group;"
        :: "l"(map), "r"(along), "r"(row), "r"(shared_at(from)) : "memory");
}

// All that this thread has sent was read.
static __device__ void sent()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// ---- products ----

// Rows of 128 bytes, swizzled by 128, eight of them 1024 bytes long.
static __device__ uint64_t descriptor(const bf16 *p)
{
    return (uint64_t)((shared_at(p) & 0x3FFFF) >> 4) | (uint64_t)(sizeof(slot) / 2 >> 4) << 16 | (uint64_t)(1024 >> 4) << 32
        | (uint64_t)1 << 62;
}

#define SUMS8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS SUMS8(0), SUMS8(8), SUMS8(16), SUMS8(24), SUMS8(32), SUMS8(40), SUMS8(48), SUMS8(56)
#define PRODUCT "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "

// d = a b + d, or a b alone: 64 x 128 sums over 16 numbers. It runs on while the warps go on.
static __device__ void multiply(float d[64], uint64_t a, uint64_t b, int adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n" PRODUCT "%64, %65, p, 1, 1, 0, 0;\n}"
        : SUMS : "l"(a), "l"(b), "r"(adds) : "memory");
}

// The same with a in registers, and with b as its rows lie: 16 of them, 128 numbers each.
static __device__ void multiply(float d[64], const unsigned a[4], uint64_t b, int adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n" PRODUCT "{%64, %65, %66, %67}, %68, p, 1, 1, 1;\n}"
        : SUMS : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds) : "memory");
}

static __device__ void products_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ void products_end()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// All but the last PENDING are done, d among them.
template <int PENDING> static __device__ void products_wait(float d[64])
{
    asm volatile("wgmma.wait_group.sync.aligned %64;" : SUMS : "n"(PENDING) : "memory");
}

// 16 numbers are 32 bytes of a row of q and of k.
static __device__ void scores(float s[64], const rows *q, const slot *k)
{
    products_begin();
#pragma unroll
    for (int i = 0; i < WIDE / 16; i++)
        multiply(s, descriptor(q->part[i / 4]) + 2 * (i % 4), descriptor(k->part[i / 4]) + 2 * (i % 4), i);
    products_end();
}

// 16 keys are 2048 bytes of v.
static __device__ void values(float o[64], const unsigned weights[32], const slot *v, int adds)
{
    products_begin();
#pragma unroll
    for (int i = 0; i < TILE / 16; i++)
        multiply(o, weights + 4 * i, descriptor(v->part[0]) + 128 * i, adds + i);
    products_end();
}

// ---- softmax: of each four numbers of a thread two are of one row, two of the row eight further on ----

struct state { float top[2], sum[2], fade[2]; };    // of both rows

static __device__ float top_of_row(const float s[64], int h)
{
    float tops[4] = {s[2 * h], s[2 * h + 4], s[2 * h + 8], s[2 * h + 12]};
#pragma unroll
    for (int i = 0; i < 16; i++)
        tops[i % 4] = fmaxf(tops[i % 4], fmaxf(s[4 * i + 2 * h], s[4 * i + 2 * h + 1]));
    float top = fmaxf(fmaxf(tops[0], tops[1]), fmaxf(tops[2], tops[3]));
    top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
    return fmaxf(top, __shfl_xor_sync(~0u, top, 2)) * SCALE;
}

static __device__ float sum_of_row(float s[64], int h, float top)
{
    float sums[4] = {};
#pragma unroll
    for (int i = 0; i < 16; i++) {
        float *pair = s + 4 * i + 2 * h;
        pair[0] = expf(pair[0] * SCALE - top);
        pair[1] = expf(pair[1] * SCALE - top);
        sums[i % 4] += pair[0] + pair[1];
    }
    return sums[0] + sums[1] + (sums[2] + sums[3]);
}

static __device__ void soften_first(float s[64], state *w)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        w->top[h] = top_of_row(s, h);
        w->sum[h] = sum_of_row(s, h, w->top[h]);
    }
}

static __device__ void soften(float s[64], state *w)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float top = top_of_row(s, h);
        if (top <= w->top[h] + SLACK)
            top = w->top[h];
        w->fade[h] = expf(w->top[h] - top);
        w->top[h] = top;
        w->sum[h] = w->sum[h] * w->fade[h] + sum_of_row(s, h, top);
    }
}

static __device__ void fade(float o[64], const state *w)
{
    if (!__any_sync(~0u, w->fade[0] * w->fade[1] != 1))
        return;
#pragma unroll
    for (int i = 0; i < 64; i++)
        o[i] *= w->fade[i / 2 % 2];
}

static __device__ unsigned two(float low, float high)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

static __device__ void narrow(unsigned weights[32], const float s[64])
{
#pragma unroll
    for (int i = 0; i < 32; i++)
        weights[i] = two(s[2 * i], s[2 * i + 1]);
}

// ---- who does what ----

// The n-th tile of a block: of which head, and which of its rows of tiles.
struct schedule {
    int tiles, heads;
    __device__ bool tile(int n, int *head, int *row) const
    {
        int pair = blockIdx.x + n / 2 * gridDim.x, at = pair % (tiles / 2);
        *head = pair / (tiles / 2);
        *row = n % 2 ? at : tiles - 1 - at;
        return *head < heads;
    }
};

static __device__ void fetch_tile(ring *r, place *at, const tensor_map *map, int row)
{
    slot *to = &r->slots[at->slot];
    uint64_t *full = &r->full[at->slot];
    barrier_wait(&r->empty[at->slot], at->phase ^ 1);       // the first round finds all slots empty
    barrier_expect(full, sizeof *to);
    fetch(to->part[0], map, 0, row, full);
    fetch(to->part[1], map, PART, row, full);
    at->next();
}

static __device__ void fetch_rows(ring *r, int group, unsigned turn, const tensor_map *map, int row)
{
    uint64_t *full = &r->q_full[group];
    barrier_wait(&r->q_empty[group], turn ^ 1);
    barrier_expect(full, sizeof *r->q);
    fetch(r->q[group].part[0], map, 0, row, full);
    fetch(r->q[group].part[1], map, PART, row, full);
}

// Keys one tile ahead of values, from the latest tokens back.
static __device__ void produce(ring *r, const tensor_map *q, const tensor_map *k, const tensor_map *v, schedule s)
{
    place at;
    int head, row;
    for (int n = 0; s.tile(n, &head, &row); n++) {
        int first = head * s.tiles;
        fetch_tile(r, &at, k, (first + row) * TILE);
        for (int group = 0; group < 2; group++)
            fetch_rows(r, group, n % 2, q, (first + row) * TILE + group * 64);
        for (int j = row; j > 0; j--) {
            fetch_tile(r, &at, k, (first + j - 1) * TILE);
            fetch_tile(r, &at, v, (first + j) * TILE);
        }
        fetch_tile(r, &at, v, first * TILE);
    }
}

// A group's 64 rows: to shared memory, swizzled as the map has it, and from there as two copies.
static __device__ void store(rows *to, const tensor_map *out, const float o[64], const state *w, int group, int row)
{
    int lane = threadIdx.x % 32, line = threadIdx.x / 32 % 4 * 16 + lane % 16;
    float share[2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float sum = w->sum[h] + __shfl_xor_sync(~0u, w->sum[h], 1);
        share[h] = 1 / (sum + __shfl_xor_sync(~0u, sum, 2));
    }
    if (threadIdx.x % 128 == 0)
        sent();
    meet(1 + group, 128);
#pragma unroll
    for (int j = 0; j < WIDE / 8; j += 2) {
        const float *e = o + j * 4;
        unsigned at = shared_at(to->part[j / 8]) + line * 128 + ((j % 8 + lane / 16) ^ line % 8) * 16;
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
            :: "r"(at), "r"(two(e[0] * share[0], e[1] * share[0])), "r"(two(e[2] * share[1], e[3] * share[1])),
               "r"(two(e[4] * share[0], e[5] * share[0])), "r"(two(e[6] * share[1], e[7] * share[1])) : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");    // what threads wrote, a copy reads
    meet(1 + group, 128);
    if (threadIdx.x % 128 == 0)
        for (int i = 0; i < 2; i++)
            send(out, i * PART, row, to->part[i]);
}

// In the tile of the latest keys a token does not see those behind it.
static __device__ void hide(float s[64], int group)
{
    int line = group * 64 + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
#pragma unroll
    for (int e = 0; e < 64; e++)
        if (e / 4 * 8 + e % 2 + column > line + e / 2 % 2 * 8)
            s[e] = -1e30f;
}

// A tile, from its own keys back to the first. Scores of a tile of keys are asked for before the values of
// the one before it.
static __device__ void attend(ring *r, place *at, float o[64], state *w, int group, int earlier)
{
    const rows *q = &r->q[group];
    float s[64];
    unsigned weights[32];
    barrier_wait(&r->full[at->slot], at->phase);
    scores(s, q, &r->slots[at->slot]);
    products_wait<0>(s);
    release(&r->empty[at->slot]);
    at->next();
    hide(s, group);
    soften_first(s, w);
    narrow(weights, s);
    for (int j = 0; j < earlier; j++) {
        int keys = at->slot;
        barrier_wait(&r->full[keys], at->phase);
        at->next();
        scores(s, q, &r->slots[keys]);
        barrier_wait(&r->full[at->slot], at->phase);
        values(o, weights, &r->slots[at->slot], j);
        products_wait<1>(s);
        release(&r->empty[keys]);
        if (j == earlier - 1)
            release(&r->q_empty[group]);
        soften(s, w);
        products_wait<0>(o);
        release(&r->empty[at->slot]);
        at->next();
        fade(o, w);
        narrow(weights, s);
    }
    if (earlier == 0)
        release(&r->q_empty[group]);
    barrier_wait(&r->full[at->slot], at->phase);
    values(o, weights, &r->slots[at->slot], earlier);
    products_wait<0>(o);
    release(&r->empty[at->slot]);
    at->next();
}

static __device__ void consume(ring *r, const tensor_map *out, schedule s)
{
    int group = threadIdx.x / 128 - 1, head, row;
    float o[64];
    state w;
    place at;
    for (int n = 0; s.tile(n, &head, &row); n++) {
        barrier_wait(&r->q_full[group], n % 2);
        attend(r, &at, o, &w, group, row);
        store(&r->out[group], out, o, &w, group, (head * s.tiles + row) * TILE + group * 64);
    }
    if (threadIdx.x % 128 == 0)
        sent();             // a block's memory is gone when it ends
}

extern "C" __global__ void __launch_bounds__(384, 1)
    attention(const __grid_constant__ tensor_map out, const __grid_constant__ tensor_map q, const __grid_constant__ tensor_map k,
              const __grid_constant__ tensor_map v, int length, int heads)
{
    extern __shared__ __align__(1024) char memory[];
    ring *r = (ring *)memory;
    schedule s = {length / TILE, heads};
    if (threadIdx.x == 0) {
        for (int i = 0; i < DEPTH; i++) {
            barrier_init(&r->full[i], 1);
            barrier_init(&r->empty[i], 2);
        }
        for (int group = 0; group < 2; group++) {
            barrier_init(&r->q_full[group], 1);
            barrier_init(&r->q_empty[group], 1);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 0)
            produce(r, &q, &k, &v, s);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        consume(r, &out, s);
    }
}
