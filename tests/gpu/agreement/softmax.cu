// Softmax over rows of 2048 floats of a matrix of n x n floats in all: a block of 256 threads a row,
// eight floats a thread, which stay in registers.
static __device__ float reduce(float v, bool largest)
{
    __shared__ float part[8];
    for (int d = 16; d; d /= 2) {
        float o = __shfl_xor_sync(0xffffffffu, v, d);
        v = largest ? fmaxf(v, o) : v + o;
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = part[0];
    for (int w = 1; w < 8; w++)
        v = largest ? fmaxf(v, part[w]) : v + part[w];
    __syncthreads();
    return v;
}

extern "C" __global__ void softmax(float *out, const float *in, int n)
{
    size_t at = blockIdx.x * (size_t)2048 + threadIdx.x;
    float x[8], most = -3e38f, sum = 0;
    if (at - threadIdx.x >= (size_t)n * n)
        return;
    for (int k = 0; k < 8; k++) {
        x[k] = in[at + 256 * k];
        most = fmaxf(most, x[k]);
    }
    most = reduce(most, true);
    for (int k = 0; k < 8; k++) {
        x[k] = exp2f((x[k] - most) * 1.4426950408889634f);
        sum += x[k];
    }
    sum = reduce(sum, false);
    for (int k = 0; k < 8; k++)
        out[at + 256 * k] = x[k] / sum;
}
