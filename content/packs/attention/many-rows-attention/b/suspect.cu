// out = softmax(q k^T / 8) v for heads of 64 floats, `length` queries and as many keys each. A block owns 128 queries of a head; keys and
// values pass through shared memory. Tensor cores multiply in TF32; a lane holds what mma.m16n8k8 gives to lane 4 g + t.
constexpr int WIDTH = 64, PITCH = WIDTH + 4;   // floats of a row; of a row in shared memory
constexpr int WARPS = 4, TALL = 2;             // warps of a block; groups of 16 queries of a warp
constexpr int STEP = 32;                       // keys whose scores a warp holds at a time
constexpr int TILE = KEYS % 64 ? 32 : 64, SLOTS = KEYS / TILE;

static __device__ void mma(float d[4], const float a[4], float b0, float b1)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
          "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

static __device__ float power(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Asks for a tile; rows behind the last one arrive as zeros.
static __device__ void fetch(float *tile, const float *from, int first, int length)
{
    for (int r = threadIdx.x / 16; r < TILE; r += WARPS * 2) {
        int row = min(first + r, length - 1), c = threadIdx.x % 16 * 4, bytes = first + r < length ? 16 : 0;
        unsigned at = (unsigned)__cvta_generic_to_shared(tile + r * PITCH + c);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :: "r"(at), "l"(from + (size_t)row * WIDTH + c), "r"(bytes) : "memory");
    }
}

static __device__ void scores(float s[TALL][4][4], const float query[TALL][8][4], const float *key, int g, int t)
{
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const float *b = key + (8 * j + g) * PITCH + 8 * i + t;
#pragma unroll
            for (int m = 0; m < TALL; m++)
                mma(s[m][j], query[m][i], b[0], b[4]);
        }
}

static __device__ void add_values(float acc[TALL][8][4], const float s[TALL][4][4], const float *value, int g, int t)
{
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float *b = value + (8 * j + 2 * t) * PITCH + 8 * i + g;
#pragma unroll
            for (int m = 0; m < TALL; m++) {
                const float a[4] = {s[m][j][0], s[m][j][2], s[m][j][1], s[m][j][3]};
                mma(acc[m][i], a, b[0], b[PITCH]);
            }
        }
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) attention(float *out, const float *q, const float *k, const float *v,
                                                                   float *scratch, int length)
{
    extern __shared__ __align__(16) float ring[];
    int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, tiles = (length + TILE - 1) / TILE;
    int row = (blockIdx.x * WARPS + threadIdx.x / 32) * 16 * TALL + g;
    size_t head = (size_t)blockIdx.y * length * WIDTH;
    float query[TALL][8][4], acc[TALL][8][4] = {}, top[TALL][2], sum[TALL][2] = {};

#pragma unroll
    for (int i = 0; i < TALL * 32; i++) {
        int r = min(row + i / 32 * 16 + i % 2 * 8, length - 1), c = i % 32 / 4 * 8 + i % 4 / 2 * 4 + t;
        query[i / 32][i % 32 / 4][i % 4] = q[head + (size_t)r * WIDTH + c] * 0.18033688f;      // log2(e) / sqrt(64)
    }
    for (int i = 0; i < TALL * 2; i++)
        top[i / 2][i % 2] = -1e30f;

    for (int n = 0; n < tiles + SLOTS - 1; n++) {
        float *slot = ring + n % SLOTS * 2 * TILE * PITCH;
        if (n < tiles) {
            fetch(slot, k + head, n * TILE, length);
            fetch(slot + TILE * PITCH, v + head, n * TILE, length);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (n < SLOTS - 1)
            continue;
        asm volatile("cp.async.wait_group %0;" :: "n"(SLOTS - 1) : "memory");
        __syncthreads();

        int first = (n - SLOTS + 1) * TILE;
        const float *key = ring + (n + 1) % SLOTS * 2 * TILE * PITCH, *value = key + TILE * PITCH;
        for (int at = 0; at < TILE && first + at < length; at += STEP) {
            float s[TALL][4][4] = {};
            scores(s, query, key + at * PITCH, g, t);
#pragma unroll
            for (int i = 0; i < TALL * 2; i++) {
                int m = i / 2, h = i % 2 * 2;
                float high = top[m][i % 2], part = 0;
#pragma unroll
                for (int j = 0; j < 4; j++)
                    high = fmaxf(high, fmaxf(s[m][j][h], s[m][j][h + 1]));
                high = fmaxf(high, __shfl_xor_sync(~0u, high, 1));
                high = fmaxf(high, __shfl_xor_sync(~0u, high, 2));
                float fade = power(top[m][i % 2] - high);
                top[m][i % 2] = high;
#pragma unroll
                for (int j = 0; j < 8; j++) {
                    float &x = s[m][j / 2][h + j % 2];
                    part += x = power(x - high);
                    acc[m][j][h] *= fade;
                    acc[m][j][h + 1] *= fade;
                }
                sum[m][i % 2] = sum[m][i % 2] * fade + part;
            }
            add_values(acc, s, value + at * PITCH, g, t);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TALL * 2; i++) {
        int m = i / 2, h = i % 2 * 2, r = row + m * 16 + i % 2 * 8;
        float total = sum[m][i % 2];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (r < length)
                *(float2 *)&out[head + (size_t)r * WIDTH + 8 * j + 2 * t] = make_float2(acc[m][j][h] / total, acc[m][j][h + 1] / total);
    }
}
