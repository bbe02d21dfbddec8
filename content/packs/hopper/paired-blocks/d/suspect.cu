// c = a b^T in bfloat16, summed in float, for few rows of a (tokens). Rows of a and of b are LENGTH
// numbers long. A block owns WIDE columns of c. Blocks of a cluster need the same rows of a, of
// which each fetches a part for all, and rows of b of their own. One thread fetches tiles through a
// ring in shared memory; a group of four warps multiplies them and stores.
#include "warpdrill.h"

typedef unsigned short bf16;

constexpr int HIGH = 64, WIDE = 64, LONG = 64;      // of c, and what a step goes along
constexpr int DEPTH = STAGES;                       // slots of the ring
constexpr int BLOCKS = 2;                           // of a cluster
constexpr int STEPS = LENGTH / LONG;
constexpr int PART = HIGH / BLOCKS;                 // rows of a that a block fetches
constexpr int PIECE = 64;                           // columns of c that are stored at once

struct slot { bf16 a[HIGH * LONG], b[WIDE * LONG]; };
struct ring {
    slot slots[DEPTH];
    bf16 out[2][64 * PIECE];                        // two that take turns
    uint64_t full[DEPTH], empty[DEPTH];
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

// ---- clusters and barriers ----

static __device__ unsigned cluster_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ void cluster_meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

static __device__ void group_meet()
{
    asm volatile("bar.sync 1, 128;" ::: "memory");
}

static __device__ void barrier_init(uint64_t *bar, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
        :: "r"(shared_at(bar)), "r"(arrivals) : "memory");
}

static __device__ void barrier_wait(uint64_t *bar, unsigned phase)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done) : "r"(shared_at(bar)), "r"(phase) : "memory");
    while (!done);
}

static __device__ void barrier_expect(uint64_t *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
        :: "r"(shared_at(bar)), "r"(bytes) : "memory");
}

// At the same barrier of another block of the cluster.
static __device__ void barrier_arrive(uint64_t *bar, unsigned rank)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}"
        :: "r"(shared_at(bar)), "r"(rank) : "memory");
}

// ---- copies ----

static __device__ void fetch(void *to, const tensor_map *map, int along, int row, uint64_t *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];"
        :: "r"(shared_at(to)), "l"(map), "r"(along), "r"(row), "r"(shared_at(bar)) : "memory");
}

// To the same place in every block of the cluster.
static __device__ void fetch_for_all(void *to, const tensor_map *map, int along, int row,
                                     uint64_t *bar)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
        :: "r"(shared_at(to)), "l"(map), "r"(along), "r"(row), "r"(shared_at(bar)),
           "h"((unsigned short)((1 << BLOCKS) - 1))
        : "memory");
}

static __device__ void send(const tensor_map *map, int column, int row, const void *from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
        "cp.async.bulk.commit_group;"
        :: "l"(map), "r"(column), "r"(row), "r"(shared_at(from)) : "memory");
}

// All but the latest PENDING of what this thread has sent were read.
template <int PENDING> static __device__ void sent()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(PENDING) : "memory");
}

// ---- products ----

// Rows of 128 bytes, swizzled by 128, eight of them 1024 bytes long.
static __device__ uint64_t descriptor(const void *p)
{
    return (uint64_t)((shared_at(p) & 0x3FFFF) >> 4) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

#define SUMS8(i) \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
    "+f"(d[i + 6]), "+f"(d[i + 7])

// d = a b + d, or a b alone: 64 x WIDE sums over 16 numbers. It runs on while the warps go on.
static __device__ void multiply(float d[32], uint64_t a, uint64_t b, int adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
        "}, %32, %33, p, 1, 1, 0, 0;\n}"
        : SUMS8(0), SUMS8(8), SUMS8(16), SUMS8(24)
        : "l"(a), "l"(b), "r"(adds) : "memory");
}

static __device__ void products_begin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ void products_end()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int PENDING> static __device__ void products_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}

// Nobody reads sums that are not there yet.
template <int N> static __device__ void settle(float (&d)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("" : "+f"(d[i]) :: "memory");
}

// ---- who does what ----

static __device__ void produce(ring *r, const tensor_map *a, const tensor_map *b)
{
    unsigned rank = cluster_rank();
    place at;
    at.phase = 1;       // the first round finds all slots empty
    for (int step = 0; step < STEPS; step++, at.next()) {
        slot *to = &r->slots[at.slot];
        uint64_t *full = &r->full[at.slot];
        barrier_wait(&r->empty[at.slot], at.phase);
        barrier_expect(full, sizeof *to);
        fetch(to->b, b, step * LONG, blockIdx.x * WIDE, full);
        fetch_for_all(to->a + rank * PART * LONG, a, step * LONG, rank * PART, full);
    }
}

// For all who fetch into it.
static __device__ void release(ring *r, int slot)
{
    if (threadIdx.x % 128 < BLOCKS)
        barrier_arrive(&r->empty[slot], threadIdx.x % 128);
}

static __device__ unsigned two(float low, float high)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

// 64 rows, PIECE columns at a time: to shared memory, swizzled as the map has it, and from there
// as one copy.
static __device__ void store(ring *r, const tensor_map *c, const float d[WIDE / 2], int column)
{
    int lane = threadIdx.x % 32;
    int line = threadIdx.x / 32 % 4 * 16 + lane % 16;
#pragma unroll
    for (int i = 0; i < WIDE / PIECE; i++) {
        bf16 *out = r->out[i % 2];
        if (threadIdx.x % 128 == 0)
            sent<1>();
        group_meet();
#pragma unroll
        for (int j = 0; j < PIECE / 8; j += 2) {
            const float *e = d + i * PIECE / 2 + j * 4;
            unsigned at = shared_at(out) + line * 128 + ((j + lane / 16) ^ line % 8) * 16;
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                :: "r"(at), "r"(two(e[0], e[1])), "r"(two(e[2], e[3])), "r"(two(e[4], e[5])),
                   "r"(two(e[6], e[7]))
                : "memory");
        }
        // What threads wrote, a copy reads.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        group_meet();
        if (threadIdx.x % 128 == 0)
            send(c, column + i * PIECE, 0, out);
    }
}

static __device__ void consume(ring *r, const tensor_map *c)
{
    float d[WIDE / 2];
    place at;
    int last = 0;
    for (int step = 0; step < STEPS; step++, at.next()) {
        slot *from = &r->slots[at.slot];
        barrier_wait(&r->full[at.slot], at.phase);
        uint64_t a = descriptor(from->a), b = descriptor(from->b);
        products_begin();
#pragma unroll
        for (int k = 0; k < LONG / 16; k++)
            multiply(d, a + 2 * k, b + 2 * k, step + k);    // 16 numbers are 32 bytes
        products_end();
        products_wait<1>();
        if (step)
            release(r, last);
        last = at.slot;
    }
    products_wait<0>();
    release(r, last);
    settle(d);
    store(r, c, d, blockIdx.x * WIDE);
    if (threadIdx.x % 128 == 0)
        sent<0>();      // a block's memory is gone when it ends
}

extern "C" __global__ void __launch_bounds__(256, 1)
    product(const __grid_constant__ tensor_map c, const __grid_constant__ tensor_map a,
            const __grid_constant__ tensor_map b)
{
    extern __shared__ __align__(1024) char memory[];
    ring *r = (ring *)memory;
    if (threadIdx.x == 0) {
        for (int i = 0; i < DEPTH; i++) {
            barrier_init(&r->full[i], 1);
            barrier_init(&r->empty[i], BLOCKS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_meet();
    if (threadIdx.x == 0)
        produce(r, &a, &b);
    else if (threadIdx.x >= 128)
        consume(r, &c);
    cluster_meet();     // nobody leaves whose barriers others may still reach
}
