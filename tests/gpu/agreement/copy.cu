// n x n floats, four per thread.
extern "C" __global__ void copy(float4 *out, const float4 *in, int n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < (size_t)n * n / 4)
        out[i] = in[i];
}
