// Sums of the rows of one matrix, magnitudes of the rows of another, and their quotients. A warp takes a row, or several.
static __device__ float4 at(const float *in, size_t row, int cols, int k)
{
    return ((const float4 *)(in + row * cols))[k];
}

extern "C" __global__ void sums(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        float sum = 0;
#pragma unroll 4
        for (int k = lane; k < cols / 4; k += 32) {
            float4 v = at(in, row, cols, k);
            sum += (v.x + v.y) + (v.z + v.w);
        }
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(~0u, sum, d);
        if (lane == 0)
            out[row] = sum;
    }
}

extern "C" __global__ void times(float4 *__restrict__ out, const float4 *__restrict__ in, long long n, float by)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long long)blockDim.x) {
        float4 v = in[i];
        out[i] = make_float4(by * v.x, by * v.y, by * v.z, by * v.w);
    }
}

extern "C" __global__ void tops(float *__restrict__ out, const float *__restrict__ in, int rows, int cols, float by)
{
    int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
        float top = 0;
        const float *own = in + (size_t)row * cols + lane * (cols / 32);
#pragma unroll 4
        for (int k = 0; k < cols / 32; k++)
            top = fmaxf(top, fabsf(own[k]));
        for (int d = 16; d > 0; d /= 2)
            top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
        if (lane == 0)
            out[row] = by * top;
    }
}

extern "C" __global__ void quotient(float *out, const float *sum, const float *top, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        out[i] = top[i] > 0 ? sum[i] / top[i] : 0;
}
