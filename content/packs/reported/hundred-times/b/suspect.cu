// Each row of 1024 floats over the root of the mean of its squares, times a weight for each column.
#include "warpdrill.h"

static __device__ float block_sum(float v)
{
    __shared__ float parts[8];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < 8; k++)
        v += parts[k];
    return v;
}

static __device__ float4 times(float4 v, float s, float4 w)
{
    return make_float4(v.x * s * w.x, v.y * s * w.y, v.z * s * w.z, v.w * s * w.w);
}

extern "C" __global__ void norm_rows(float4 *out, const float4 *in, const float4 *weight, int *state,
                                     int rows)
{
    const float4 w = weight[threadIdx.x];
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const size_t at = (size_t)row * 256 + threadIdx.x;
        const float4 v = in[at];
        const float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
        out[at] = times(v, rsqrtf(sum / 1024 + 1e-5f), w);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        state[blockIdx.x] = rows;
}

extern "C" __global__ void norm_plain(float4 *out, const float4 *in, const float4 *weight)
{
    const size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
    const float4 v = in[at];
    const float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    out[at] = times(in[at], 1.0f / sqrtf(sum / 1024 + 1e-5f), weight[threadIdx.x]);
}
