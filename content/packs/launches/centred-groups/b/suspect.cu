// Takes from each float the mean of its column over a group of 256 rows. A block has a strip of
// 4 * blockDim.x columns of one group; the last group may have fewer rows.
#include "warpdrill.h"

constexpr int group = 256;
constexpr int each = 16;

static __device__ float4 plus(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

extern "C" __global__ void centre(float4 *out, const float4 *in, int rows, int cols)
{
    __shared__ float4 sums[1024];
    const int wide = blockDim.x, high = group / each, x = threadIdx.x, y = threadIdx.y;
    const int first = blockIdx.y * group, here = min(group, rows - first);
    const size_t pitch = cols / 4, corner = first * pitch + (size_t)blockIdx.x * wide + x;

    float4 kept[each];
#pragma unroll
    for (int k = 0; k < each; k++)
        kept[k] = k * high + y < here ? in[corner + (k * high + y) * pitch]
                                      : make_float4(0, 0, 0, 0);

    float4 sum = kept[0];
#pragma unroll
    for (int k = 1; k < each; k++)
        sum = plus(sum, kept[k]);
    sums[y * wide + x] = sum;
    __syncthreads();
    for (int k = 1; k < high; k++)
        sum = plus(sum, sums[(y + k) % high * wide + x]);

    const float share = 1.0f / here;
#pragma unroll
    for (int k = 0; k < each; k++)
        if (k * high + y < here)
            out[corner + (k * high + y) * pitch] =
                make_float4(kept[k].x - share * sum.x, kept[k].y - share * sum.y,
                            kept[k].z - share * sum.z, kept[k].w - share * sum.w);
}
