#include <cuda_fp16.h>
#include <cuda_bf16.h>

__global__ void cast(__nv_bfloat16 *out, const half *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __float2bfloat16(2.0f * __half2float(in[i]));
}
