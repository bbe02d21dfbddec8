// c = a b^T in half precision, summed in float. Rows of a and of b are LENGTH halves long. A block owns HIGH x WIDE of c and
// walks along them; tiles of a and b, 32 halves long, pass through a ring in shared memory. Its 8 warps own 64 x WARP_WIDE each.
typedef unsigned short half;

constexpr int HIGH = 128, WIDE = 256, WARP_WIDE = WIDE / 4;
constexpr int LONG = 32, PIECES = LONG / 8;     // halves of a tile's row; pieces of 16 bytes that it has
constexpr int TILES = LENGTH / LONG;
constexpr int THREADS = 256;
constexpr int DEPTH = STAGES;                   // slots of the ring
constexpr int SLOT = (HIGH + WIDE) * LONG;      // halves

struct operands { unsigned a[4][4], b[WARP_WIDE / 8][2]; };

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

static __device__ void multiply(float4 &c, const unsigned a[4], const unsigned b[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
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
#pragma unroll
    for (int r = 0; r < HIGH; r += THREADS / PIECES)
        copy16(slot + place(row + r, piece), a + (size_t)(row + r) * LENGTH + 8 * piece);
#pragma unroll
    for (int r = 0; r < WIDE; r += THREADS / PIECES)
        copy16(slot + place(HIGH + row + r, piece), b + (size_t)(row + r) * LENGTH + 8 * piece);
}

// What one warp multiplies in one step: 16 halves along k, the first or the second of the slot.
static __device__ void gather(operands &to, const half *slot, int step)
{
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned row = warp / 4 * 64 + lane / 4, column = HIGH + warp % 4 * WARP_WIDE + lane / 4, pair = lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int h = 0; h < 4; h++)
            to.a[i][h] = *(const unsigned *)(slot + place(row + 16 * i + h % 2 * 8, 2 * step + h / 2) + pair);
#pragma unroll
    for (int j = 0; j < WARP_WIDE / 8; j++)
#pragma unroll
        for (int h = 0; h < 2; h++)
            to.b[j][h] = *(const unsigned *)(slot + place(column + 8 * j, 2 * step + h) + pair);
}

static __device__ void multiply_all(float4 sum[4][WARP_WIDE / 8], const operands &of)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < WARP_WIDE / 8; j++)
            multiply(sum[i][j], of.a[i], of.b[j]);
}

extern "C" __global__ void product(float *c, const half *a, const half *b, int n)
{
    extern __shared__ __align__(16) half ring[];
    int row0 = blockIdx.x * HIGH, column0 = blockIdx.y * WIDE;
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
    gather(even, ring, 0);
    for (int t = 0; t < TILES; t++) {
        half *slot = ring + t % DEPTH * SLOT;
        gather(odd, slot, 1);
        multiply_all(sum, even);
        wait<DEPTH - 2>();
        __syncthreads();
        if (t + DEPTH < TILES)
            fetch(slot, a + (t + DEPTH) * LONG, b + (t + DEPTH) * LONG);
        commit();
        gather(even, ring + (t + 1) % DEPTH * SLOT, 0);
        multiply_all(sum, odd);
    }

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
