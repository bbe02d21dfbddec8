#include "warpdrill.h"

// What follows a layer in one chunk of a prefill: rows of the residual and of the layer are added, normalised and brought to eight bits,
// and the first product of an adapter takes them. Rows of HIDDEN numbers are contiguous; sums are bfloat16.
typedef unsigned short bf16;

constexpr int EACH = 8;                               // numbers of a row that a thread has
constexpr int THREADS = HIDDEN / EACH, WARPS = THREADS / 32;
constexpr int ROWS = 4;                               // rows that a block of scores or of the adapter takes at once
constexpr int SCORES = 2, RANK = 4;                   // of a row: scores, and numbers that the adapter makes of it
constexpr int BESIDE = 256;                           // threads for which a block of scores leaves registers
constexpr int WIDTH = 512;                            // numbers of the draft head's state
constexpr float MOST = 127, UNIT = 2e-4f;             // the largest of eight bits; what the adapter's weights are multiples of

static __device__ unsigned both(float a, float b)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(b), "f"(a));
    return pair;
}

static __device__ void unpack(float (&v)[EACH], uint4 w)
{
    unsigned word[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[2 * i] = __uint_as_float(word[i] << 16);
        v[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000u);
    }
}

static __device__ uint4 pack(const float (&v)[EACH])
{
    return make_uint4(both(v[0], v[1]), both(v[2], v[3]), both(v[4], v[5]), both(v[6], v[7]));
}

// The thread's eight of a row.
static __device__ void take(float (&v)[EACH], const bf16 *row)
{
    unpack(v, *(const uint4 *)(row + EACH * threadIdx.x));
}

static __device__ unsigned eight_bits(float a, float b, float c, float d)
{
    unsigned low = (__float2int_rn(a) & 255u) | (__float2int_rn(b) & 255u) << 8;
    return low | (__float2int_rn(c) & 255u) << 16 | (__float2int_rn(d) & 255u) << 24;
}

// The thread's eight of a row times `by`, to eight bits.
static __device__ void narrow(int8_t *row, const float (&v)[EACH], float by)
{
    unsigned low = eight_bits(v[0] * by, v[1] * by, v[2] * by, v[3] * by), high = eight_bits(v[4] * by, v[5] * by, v[6] * by, v[7] * by);
    *(uint2 *)(row + EACH * threadIdx.x) = make_uint2(low, high);
}

// The largest v of 2 N lanes side by side.
template <int N> static __device__ float largest(float v)
{
#pragma unroll
    for (int d = N; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

// Block-wide: the sum of all `sum` and the largest `top`. Calls take turns with `turn`.
static __device__ void settle_both(float &sum, float &top, int turn)
{
    __shared__ float2 part[2][WARPS];
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    top = largest<16>(top);
    if (lane == 0)
        part[turn % 2][threadIdx.x / 32] = make_float2(sum, top);
    __syncthreads();
    float2 one = part[turn % 2][lane % WARPS];
    sum = one.x, top = largest<WARPS / 2>(one.y);
#pragma unroll
    for (int d = WARPS / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
}

// Sums over a warp: lane i, and lane 16 + i, returns that of v[i].
template <typename T, int N = 8> static __device__ T fold(T (&v)[16])
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        T a = v[i], b = v[i + N];
        v[i] = (threadIdx.x & N ? b : a) + __shfl_xor_sync(~0u, threadIdx.x & N ? a : b, N);
    }
    if constexpr (N > 1)
        return fold<T, N / 2>(v);
    return v[0] + __shfl_xor_sync(~0u, v[0], 16);
}

// Takes the rows of the residual and those of the layer. A block has one of each at a time; the next ones are on their way meanwhile.
extern "C" __global__ void __launch_bounds__(THREADS, 3) settle(bf16 *h, int8_t *q, float *scale, float *room, const bf16 *x, const bf16 *delta, const bf16 *gain, int first, int rows)
{
    int at = EACH * threadIdx.x, turn = 0;
    uint4 next[2] = {};
    auto fetch = [&](int row) {
        if (row < rows) {
            size_t from = (size_t)(first + row) * HIDDEN + at;
            next[0] = __ldcs((const uint4 *)(x + from));
            next[1] = __ldcs((const uint4 *)(delta + from));
        }
    };
    fetch(blockIdx.x);
    for (int row = blockIdx.x; row < rows; row += gridDim.x, turn++) {
        float v[EACH], w[EACH], sum = 0, top = 0;
        unpack(v, next[0]);
        unpack(w, next[1]);
        fetch(row + gridDim.x);
        for (int i = 0; i < EACH; i++)
            v[i] += w[i];
        uint4 sums = pack(v);
        *(uint4 *)(h + (size_t)(first + row) * HIDDEN + at) = sums;
        unpack(v, sums);
        take(w, gain);
        for (int i = 0; i < EACH; i++) {
            sum += v[i] * v[i];
            v[i] *= w[i];
            top = fmaxf(top, fabsf(v[i]));
        }
        settle_both(sum, top, turn);
        top = fmaxf(top, 1e-20f);
        narrow(q + (size_t)row * HIDDEN, v, MOST / top);
        if (threadIdx.x == 0)
            scale[row] = top * rsqrtf(sum / HIDDEN + 1e-5f) / MOST;
    }
}

// Two scores of each normalised row. A block takes ROWS rows at a time.
extern "C" __global__ void __launch_bounds__(THREADS + BESIDE) score(float *scores, int8_t *q, float *scale, const bf16 *h, const bf16 *gain, const bf16 *w_score, int first, int rows)
{
    __shared__ float part[2][WARPS][16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, turn = 0;
    uint4 next[ROWS] = {};
    auto fetch = [&](int base) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (base + r < rows)
                next[r] = __ldcs((const uint4 *)(h + (size_t)(first + base + r) * HIDDEN + EACH * threadIdx.x));
    };
    fetch(blockIdx.x * ROWS);
    for (int base = blockIdx.x * ROWS; base < rows; base += gridDim.x * ROWS, turn++) {
        uint4 now[ROWS];
        float sums[16] = {}, v[EACH], g[EACH], w[EACH];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            now[r] = next[r];
        fetch(base + gridDim.x * ROWS);
        take(g, gain);
#pragma unroll
        for (int s = 0; s < SCORES; s++) {
            take(w, w_score + s * HIDDEN);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                unpack(v, now[r]);
#pragma unroll
                for (int i = 0; i < EACH; i++) {
                    sums[4 * r] += s == 0 ? v[i] * v[i] : 0;
                    sums[4 * r + 1 + s] += v[i] * g[i] * w[i];
                }
            }
        }
        float mine = fold(sums);
        if (lane < 16)
            part[turn % 2][warp][lane] = mine;
        __syncthreads();
        if (warp == 0) {
            mine = 0;
            for (int i = 0; i < WARPS; i++)
                mine += part[turn % 2][i][lane % 16];
            int row = base + lane / 4, kind = lane % 4;
            float over = rsqrtf(__shfl_sync(~0u, mine, lane & ~3) / HIDDEN + 1e-5f);
            if (lane < 16 && row < rows && kind > 0 && kind <= SCORES)
                scores[(size_t)(first + row) * SCORES + kind - 1] = mine * over;
        }
    }
}

// The draft head: each state follows from the one before, the first from the sums of a row. A block takes a prompt.
extern "C" __global__ void __launch_bounds__(WIDTH) propose(float *out, const bf16 *h, const bf16 *w, int first, int rows, int drafts)
{
    __shared__ float now[WIDTH], found[WIDTH];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t from = (size_t)(first + blockIdx.x * (rows / gridDim.x)) * HIDDEN + threadIdx.x;
    float bias = __uint_as_float((unsigned)h[from] << 16);
    now[threadIdx.x] = bias / (1.0f + fabsf(bias));
    for (int s = 0; s < drafts; s++) {
        __syncthreads();
        for (int row = warp * ROWS; row < WIDTH; row += WIDTH / 32 * ROWS) {
            float sum[ROWS] = {};
            for (int i = EACH * lane; i < WIDTH; i += 32 * EACH)
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    float f[EACH];
                    unpack(f, *(const uint4 *)(w + (size_t)(row + r) * WIDTH + i));
#pragma unroll
                    for (int n = 0; n < EACH; n++)
                        sum[r] += f[n] * now[i + n];
                }
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
#pragma unroll
                for (int d = 16; d > 0; d /= 2)
                    sum[r] += __shfl_xor_sync(~0u, sum[r], d);
                if (lane == r)
                    found[row + r] = sum[r];
            }
        }
        __syncthreads();
        float v = found[threadIdx.x] + bias;
        now[threadIdx.x] = v / (1.0f + fabsf(v));
        out[((size_t)blockIdx.x * drafts + s) * WIDTH + threadIdx.x] = now[threadIdx.x];
    }
}

// The adapter's first product: RANK numbers of each row of eight bits. A block takes ROWS rows at a time, a thread 16 numbers of each.
extern "C" __global__ void __launch_bounds__(HIDDEN / 16, 2) adapt(float *low, const int8_t *q, const float *scale, const int8_t *w_low, int first, int rows)
{
    __shared__ int part[2][HIDDEN / 512][16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, turn = 0;
    int4 w[RANK], next[ROWS] = {};
    auto fetch = [&](int base) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (base + r < rows)
                next[r] = __ldcs((const int4 *)(q + (size_t)(base + r) * HIDDEN + 16 * threadIdx.x));
    };
    fetch(blockIdx.x * ROWS);
    for (int o = 0; o < RANK; o++)
        w[o] = *(const int4 *)(w_low + (size_t)o * HIDDEN + 16 * threadIdx.x);
    for (int base = blockIdx.x * ROWS; base < rows; base += gridDim.x * ROWS, turn++) {
        int sums[16];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int o = 0; o < RANK; o++) {
                int s = __dp4a(next[r].x, w[o].x, 0);
                s = __dp4a(next[r].y, w[o].y, s);
                s = __dp4a(next[r].z, w[o].z, s);
                sums[r * RANK + o] = __dp4a(next[r].w, w[o].w, s);
            }
        fetch(base + gridDim.x * ROWS);
        int mine = fold(sums);
        if (lane < 16)
            part[turn % 2][warp][lane] = mine;
        __syncthreads();
        if (warp == 0) {
            mine = 0;
            for (int i = 0; i < HIDDEN / 512; i++)
                mine += part[turn % 2][i][lane % 16];
            int row = base + lane / RANK;
            if (lane < 16 && row < rows)
                low[(size_t)(first + row) * RANK + lane % RANK] = mine * UNIT * scale[row];
        }
    }
}
