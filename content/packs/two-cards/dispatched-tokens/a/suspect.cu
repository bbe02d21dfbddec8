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

// What goes to the other card's expert, in bfloat16 and in float, behind `at` elements in front.
extern "C" __global__ void pack(bf16 *__restrict__ send, const float *__restrict__ x, int n, int at)
{
    int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        send[at + first + k] = round_off(x[first + k]);
}

extern "C" __global__ void pack_wide(float *__restrict__ send, const float *__restrict__ x, int n, int at)
{
    int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        send[at + first + k] = x[first + k];
}

// A number against each row of an expert's weights; all rows are on their way before the first is used.
static __device__ float against(float v, const float *__restrict__ weights, int n, int i)
{
    float w[ROWS], sum = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        w[r] = weights[(long long)r * n + i];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        sum += fmaxf(v * w[r], 0.0f);
    return sum;
}

// The expert that every token has, on its own card. A thread takes a number of each half.
extern "C" __global__ void __launch_bounds__(1024, 1) own(float *__restrict__ kept, const float *__restrict__ x, const float *__restrict__ weights, int n)
{
    int half = n / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
        float a = against(x[i], weights, n, i), b = against(x[half + i], weights, n, half + i);
        kept[i] = a;
        kept[half + i] = b;
    }
}

// The expert of this card, on what came from the other.
extern "C" __global__ void __launch_bounds__(1024, 1) expert(bf16 *__restrict__ done, const bf16 *__restrict__ got, const float *__restrict__ weights, int n, int at)
{
    int half = n / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
        float a = against(widen(got[at + i]), weights, n, i);
        float b = against(widen(got[at + half + i]), weights, n, half + i);
        done[at + i] = round_off(a);
        done[at + half + i] = round_off(b);
    }
}

extern "C" __global__ void __launch_bounds__(1024, 1) expert_wide(float *__restrict__ done, const float *__restrict__ got, const float *__restrict__ weights, int n, int at)
{
    int half = n / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
        float a = against(got[at + i], weights, n, i), b = against(got[at + half + i], weights, n, half + i);
        done[at + i] = a;
        done[at + half + i] = b;
    }
}

// Both experts' results.
extern "C" __global__ void join(float *__restrict__ out, const float *__restrict__ kept, const bf16 *__restrict__ back, int n, int at)
{
    int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        out[first + k] = kept[first + k] + widen(back[at + first + k]);
}

extern "C" __global__ void join_wide(float *__restrict__ out, const float *__restrict__ kept, const float *__restrict__ back, int n, int at)
{
    int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 2048; k += 256)
        out[first + k] = kept[first + k] + back[at + first + k];
}
