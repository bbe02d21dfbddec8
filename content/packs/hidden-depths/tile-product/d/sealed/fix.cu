// Patches of 256 columns: their number is that of the blocks, two full waves with one block on each SM, and none has more to do than another.
// Checked against reference.cu.
// c = a b^T in half precision, summed in float. Rows of a and of b are LENGTH halves long. A block owns HIGH x WIDE of c and
// walks along them; tiles of a and b, 32 halves long, pass through a ring in shared memory. Its 8 warps own 64 x WARP_WIDE each.
typedef unsigned short half;

constexpr int HIGH = 128, WIDE = 256, WARP_WIDE = WIDE / 4;
constexpr int LONG = 32, PIECES = LONG / 8;     // halves of a tile's row; pieces of 16 bytes that it has
constexpr int TILES = LENGTH / LONG;
constexpr int THREADS = 256;
constexpr int DEPTH = STAGES;                   // slots of the ring
constexpr int SLOT = (HIGH + WIDE) * LONG;      // halves

// What a warp multiplies in one step of 16 halves along k.
struct operands { unsigned a[4][4], b[WARP_WIDE / 16][4]; };

static __device__ void copy16(half *to, const half *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(at), "l"(from) : "memory");
}

static __device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING> static __device__ void wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

static __device__ void load(unsigned to[4], const half *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(from);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}

// Volatile, as the loads are, so that both stay in the order in which they are written.
static __device__ void multiply(float4 &c, const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c.x), "+f"(c.y), "+f"(c.z), "+f"(c.w) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Where a piece of a tile's row lies in its slot.
static __device__ unsigned place(unsigned row, unsigned piece)
{
    return row * LONG + (piece ^ (row / 2 % PIECES)) * 8;
}

static __device__ void fetch(half *slot, const half *a, const half *b)
{
    unsigned row = threadIdx.x / PIECES, piece = threadIdx.x % PIECES;
    half *to = slot + place(row, piece);
    size_t from = (size_t)row * LENGTH + 8 * piece;
#pragma unroll
    for (int r = 0; r < HIGH; r += THREADS / PIECES)
        copy16(to + r * LONG, a + from + r * LENGTH);
#pragma unroll
    for (int r = 0; r < WIDE; r += THREADS / PIECES)
        copy16(to + (HIGH + r) * LONG, b + from + r * LENGTH);
}

static __device__ void gather_a(operands &to, const half *slot, int step)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 4 * 64 + lane % 16;
#pragma unroll
    for (int i = 0; i < 4; i++)
        load(to.a[i], slot + place(row + 16 * i, 2 * step + lane / 16));
}

static __device__ void gather_b(operands &to, const half *slot, int step)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, column = HIGH + warp % 4 * WARP_WIDE + lane / 16 * 8 + lane % 8;
#pragma unroll
    for (int j = 0; j < WARP_WIDE / 16; j++)
        load(to.b[j], slot + place(column + 16 * j, 2 * step + lane / 8 % 2));
}

// Multiplies what was gathered, and gathers from a slot what comes next: the first or the second step of its tile.
static __device__ void advance(float4 sum[4][WARP_WIDE / 8], const operands &of, operands &next, const half *slot, int step)
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (i == 0)
            gather_b(next, slot, step);
        if (i == 1)
            gather_a(next, slot, step);
#pragma unroll
        for (int j = 0; j < WARP_WIDE / 8; j++)
            multiply(sum[i][j], of.a[i], of.b[j / 2] + j % 2 * 2);
    }
}

static __device__ void patch(float *c, const half *a, const half *b, half *ring, int row0, int column0, int n)
{
    float4 sum[4][WARP_WIDE / 8] = {};
    operands even, odd;

    a += (size_t)row0 * LENGTH;
    b += (size_t)column0 * LENGTH;
    for (int t = 0; t < DEPTH; t++) {
        if (t < TILES)
            fetch(ring + t * SLOT, a + t * LONG, b + t * LONG);
        commit();
    }
    wait<DEPTH - 1>();
    __syncthreads();
    gather_b(even, ring, 0);
    gather_a(even, ring, 0);
    for (int t = 0; t < TILES; t++) {
        half *slot = ring + t % DEPTH * SLOT;
        advance(sum, even, odd, slot, 1);
        wait<DEPTH - 2>();
        __syncthreads();
        if (t + DEPTH < TILES)
            fetch(slot, a + (t + DEPTH) * LONG, b + (t + DEPTH) * LONG);
        commit();
        advance(sum, odd, even, ring + (t + 1) % DEPTH * SLOT, 0);
    }

    wait<0>();
    __syncthreads();

    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    c += (size_t)(row0 + warp / 4 * 64 + lane / 4) * n + column0 + warp % 4 * WARP_WIDE + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < WARP_WIDE / 8; j++) {
            float *to = c + (size_t)16 * i * n + 8 * j;
            *(float2 *)to = make_float2(sum[i][j].x, sum[i][j].y);
            *(float2 *)(to + (size_t)8 * n) = make_float2(sum[i][j].z, sum[i][j].w);
        }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) product(float *c, const half *a, const half *b, int n)
{
    extern __shared__ __align__(16) half ring[];
    int row0 = blockIdx.x * HIGH;

    for (int column = blockIdx.y * WIDE; column < n; column += gridDim.y * WIDE)
        patch(c, a, b, ring, row0, min(column, n - WIDE), n);
}
