typedef unsigned short bf16;

static __device__ bf16 round_off(float v)
{
    bf16 r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
    return r;
}

// Gradients of one layer's weights: what came in, times what came back, summed over the tokens.
extern "C" __global__ void back(bf16 *g, const float *acts, const float *err, int part, int layer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= part)
        return;
    float sum = 0;
    for (int t = 0; t < TOKENS; t++)
        sum += acts[(long long)t * part + i] * err[layer * TOKENS + t];
    g[(long long)layer * part + i] = round_off(sum);
}

// The same for sums that are kept in float, and what makes gradients of them.
extern "C" __global__ void back_wide(float *g, const float *acts, const float *err, int part, int layer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= part)
        return;
    float sum = 0;
    for (int t = 0; t < TOKENS; t++)
        sum += acts[(long long)t * part + i] * err[layer * TOKENS + t];
    g[(long long)layer * part + i] = sum;
}

extern "C" __global__ void narrow(bf16 *g, const float *sums, int part, int layer)
{
    long long i = (long long)layer * part + blockIdx.x * blockDim.x + threadIdx.x;
    g[i] = round_off(sums[i]);
}
