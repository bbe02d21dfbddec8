typedef unsigned short bf16;

static __device__ bf16 round_off(float v)
{
    bf16 r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
    return r;
}

static __device__ float widen(bf16 v)
{
    return __uint_as_float((unsigned)v << 16);
}

// Gradients of one layer's weights: what came in, times what came back, summed over the tokens.
// Layers lie part + 8 elements apart, the first of them `lead` behind the beginning; a thread has four
// elements at a time.
static __device__ float4 summed(const float *__restrict__ acts, const float *__restrict__ err, int part, int layer, int i)
{
    float4 a[TOKENS], sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int t = 0; t < TOKENS; t++)
        a[t] = ((const float4 *)(acts + (long long)t * part))[i];
#pragma unroll
    for (int t = 0; t < TOKENS; t++) {
        float e = err[layer * TOKENS + t];
        sum.x += a[t].x * e;
        sum.y += a[t].y * e;
        sum.z += a[t].z * e;
        sum.w += a[t].w * e;
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(1024, 1) back(bf16 *__restrict__ g, const float *__restrict__ acts, const float *__restrict__ err, int part, int layer, int lead)
{
    bf16 *to = g + lead + (long long)layer * (part + 8);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < part / 4; i += gridDim.x * blockDim.x) {
        float4 sum = summed(acts, err, part, layer, i);
        to[4 * i] = round_off(sum.x);
        to[4 * i + 1] = round_off(sum.y);
        to[4 * i + 2] = round_off(sum.z);
        to[4 * i + 3] = round_off(sum.w);
    }
}

// The same for gradients that are kept in float.
extern "C" __global__ void __launch_bounds__(1024, 1) back_wide(float *__restrict__ g, const float *__restrict__ acts, const float *__restrict__ err, int part, int layer, int lead)
{
    float *to = g + lead + (long long)layer * (part + 8);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < part / 4; i += gridDim.x * blockDim.x) {
        float4 sum = summed(acts, err, part, layer, i);
        to[4 * i] = sum.x;
        to[4 * i + 1] = sum.y;
        to[4 * i + 2] = sum.z;
        to[4 * i + 3] = sum.w;
    }
}

// The mean over both cards, in bfloat16, without what lies between the layers.
extern "C" __global__ void mean(bf16 *__restrict__ g, const bf16 *__restrict__ sums, int part, int lead)
{
    int first = blockIdx.x * 2048 + threadIdx.x, layer = blockIdx.y;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        g[(long long)layer * part + first + k] = round_off(0.5f * widen(sums[lead + (long long)layer * (part + 8) + first + k]));
}

extern "C" __global__ void mean_wide(bf16 *__restrict__ g, const float *__restrict__ sums, int part, int lead)
{
    int first = blockIdx.x * 2048 + threadIdx.x, layer = blockIdx.y;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        g[(long long)layer * part + first + k] = round_off(0.5f * sums[lead + (long long)layer * (part + 8) + first + k]);
}
