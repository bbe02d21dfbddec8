// Logarithms of the probabilities of rows of COLUMNS logits. A block takes `run` rows, one behind the other.
#include "warpdrill.h"
constexpr int THREADS = 512, WARPS = THREADS / 32, PIECES = COLUMNS / (4 * THREADS);

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

extern "C" __global__ void __launch_bounds__(THREADS, 1024 / THREADS) logs(float *out, const float *in, int rows, int run)
{
    __shared__ float tops[WARPS], sums[WARPS];
    int first = blockIdx.x * run;
    for (int r = first; r < min(first + run, rows); r++) {
        const float4 *from = (const float4 *)(in + (size_t)r * COLUMNS) + threadIdx.x;
        float4 *to = (float4 *)(out + (size_t)r * COLUMNS) + threadIdx.x;
        float4 v[PIECES];
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            v[i] = from[i * THREADS];

        float top = -3.4e38f, sum = 0;
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            float above = top;
            top = fmaxf(top, largest(fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)), tops));
            sum *= __expf(above - top);
            sum += total((__expf(v[i].x - top) + __expf(v[i].y - top)) + (__expf(v[i].z - top) + __expf(v[i].w - top)), sums);
        }

        float less = top + __logf(sum);
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            to[i * THREADS] = make_float4(v[i].x - less, v[i].y - less, v[i].z - less, v[i].w - less);
    }
}
