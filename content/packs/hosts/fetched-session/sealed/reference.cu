/* The truth: a warp to a row, sums in float64. Between layers numbers are rounded once, to floats. */
static __device__ double warp_sum(double v)
{
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    return v;
}

extern "C" __global__ void layer(float *out, const float *weights, const float *in, int d, long long first)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const float *w = weights + first + (size_t)row * d;
    double sum = 0;
    for (int c = lane; c < d; c += 32)
        sum += (double)w[c] * in[c];
    sum = warp_sum(sum);
    if (lane == 0)
        out[row] = (float)fmax(sum, 0.0);
}

extern "C" __global__ void join(double *out, const float *in, const float *kept, int d, int part)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    double sum = 0;
    for (int c = lane; c < part; c += 32)
        sum += kept[(size_t)i * part + c];
    sum = warp_sum(sum);
    if (lane == 0)
        out[i] = in[i] * (1.0 + sum / part);
}
