// A layer for one token: each row of d weights times the token, and what is below zero made zero. A warp takes a row. Then the
// session: each number of the token times one and the mean of its part of what was kept.
static __device__ float warp_sum(float v)
{
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    return v;
}

extern "C" __global__ void layer(float *out, const float *weights, const float *in, int d, long long first)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= d)
        return;
    const float4 *w = (const float4 *)(weights + first + (size_t)row * d), *x = (const float4 *)in;
    float sum = 0;
#pragma unroll 8
    for (int c = lane; c < d / 4; c += 32) {
        float4 a = w[c], b = x[c];
        sum += (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
    }
    sum = warp_sum(sum);
    if (lane == 0)
        out[row] = fmaxf(sum, 0.0f);
}

extern "C" __global__ void join(float *out, const float *in, const float *kept, int d, int part)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= d)
        return;
    float sum = 0;
    for (int c = lane; c < part; c += 32)
        sum += kept[(size_t)i * part + c];
    sum = warp_sum(sum);
    if (lane == 0)
        out[i] = in[i] * (1.0f + sum / part);
}
