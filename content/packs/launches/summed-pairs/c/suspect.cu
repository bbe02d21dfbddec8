// The potential of each body with all that stand before it in the list. A block takes a body after another.
#include "warpdrill.h"

static __device__ float energy(float2 a, float2 b, float soft)
{
    float x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    return rsqrtf(square + soft) - rsqrtf(square + 1.0f);
}

static __device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

static __device__ float block_sum(float v)
{
    __shared__ float parts[32];
    int warps = blockDim.x / 32;
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x % 32 < warps ? parts[threadIdx.x % 32] : 0.0f;
    __syncthreads();
    return warp_sum(v);
}

extern "C" __global__ void pairs(float *out, const float2 *bodies, int n, float soft)
{
    int run = wd_ceildiv(n, (int)gridDim.x), first = blockIdx.x * run;
    for (int i = first; i < min(first + run, n); i++) {
        float2 own = bodies[i];
        float sum = 0;
        for (int j = threadIdx.x; j < i; j += blockDim.x)
            sum += energy(own, bodies[j], soft);
        sum = block_sum(sum);
        if (threadIdx.x == 0)
            out[i] = sum;
    }
}
