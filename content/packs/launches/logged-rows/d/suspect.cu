// Logarithms of the probabilities of rows of COLUMNS logits, in bfloat16. A block takes `run` rows that lie one behind the other.
#include "warpdrill.h"

constexpr int THREADS = 1024, WARPS = THREADS / 32, PIECES = COLUMNS / (8 * THREADS);

static __device__ float2 unpack(unsigned v)
{
    return make_float2(__uint_as_float(v << 16), __uint_as_float(v & 0xffff0000u));
}

static __device__ unsigned pack(float2 v, float less)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(v.y - less), "f"(v.x - less));
    return both;
}

static __device__ float largest(float v, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % WARPS];
    for (int d = WARPS / 2; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

static __device__ float total(float v, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % WARPS];
    for (int d = WARPS / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1024 / THREADS) logs(uint4 *out, const uint4 *in, int rows, int run)
{
    __shared__ float tops[WARPS], sums[WARPS];
    int first = blockIdx.x * run;
    for (int r = first; r < min(first + run, rows); r++) {
        const uint4 *from = in + (size_t)r * (COLUMNS / 8) + threadIdx.x;
        uint4 *to = out + (size_t)r * (COLUMNS / 8) + threadIdx.x, raw[PIECES];
        float2 v[PIECES][4];
        float top = -3.4e38f, sum = 0;

#pragma unroll
        for (int i = 0; i < PIECES; i++)
            raw[i] = from[i * THREADS];
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            v[i][0] = unpack(raw[i].x), v[i][1] = unpack(raw[i].y), v[i][2] = unpack(raw[i].z), v[i][3] = unpack(raw[i].w);
            for (int k = 0; k < 4; k++)
                top = fmaxf(top, fmaxf(v[i][k].x, v[i][k].y));
        }
        top = largest(top, tops);
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            for (int k = 0; k < 4; k++)
                sum += __expf(v[i][k].x - top) + __expf(v[i][k].y - top);
        float less = top + __logf(total(sum, sums));
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            to[i * THREADS] = make_uint4(pack(v[i][0], less), pack(v[i][1], less), pack(v[i][2], less), pack(v[i][3], less));
    }
}
