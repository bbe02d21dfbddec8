// Each row of floats over the root of the mean of its squares, times a weight for each column.
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

// A block of 256 threads to a row of 1024 floats.
extern "C" __global__ void norm_once(float4 *out, const float4 *in, const float4 *weight)
{
    const size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
    const float4 v = in[at], w = weight[threadIdx.x];
    const float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    const float scale = rsqrtf(sum / 1024 + 1e-5f);
    out[at] = make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z,
                          v.w * scale * w.w);
}

// A block of 256 threads to a row of any length.
extern "C" __global__ void norm_rows(float *out, const float *in, const float *weight, int cols)
{
    const size_t row = (size_t)blockIdx.x * cols;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 256)
        sum += in[row + c] * in[row + c];
    const float scale = rsqrtf(block_sum(sum) / cols + 1e-5f);
    for (int c = threadIdx.x; c < cols; c += 256)
        out[row + c] = in[row + c] * scale * weight[c];
}

// A thread to a row of any length.
extern "C" __global__ void norm_each(float *out, const float *in, const float *weight, int rows,
                                     int cols)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const size_t row = (size_t)r * cols;
    float sum = 0;
    for (int c = 0; c < cols; c++)
        sum += in[row + c] * in[row + c];
    const float scale = rsqrtf(sum / cols + 1e-5f);
    for (int c = 0; c < cols; c++)
        out[row + c] = in[row + c] * scale * weight[c];
}
