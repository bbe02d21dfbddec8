// Ways to reach memory whose counters tests/gpu/computed.py compares, measured against computed. Every kernel
// takes (out, in, n); sums keep loads alive without changing what is asked of memory.
#include "warpdrill.h"

static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void copy_scalar(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void copy_vector(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        reinterpret_cast<float4 *>(out)[i] = reinterpret_cast<const float4 *>(in)[i];
}

// n floats as a square of 1 << 10 rows.
extern "C" __global__ void transpose_naive(float *out, const float *in, int n)
{
    int side = 1 << 10, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n)
            out[x * side + y + j] = in[(y + j) * side + x];
}

template <int PITCH> static __device__ void transpose(float *out, const float *in)
{
    __shared__ float tile[32 * PITCH];
    int side = 1 << 10, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[(threadIdx.y + j) * PITCH + threadIdx.x] = in[(y + j) * side + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * side + x] = tile[threadIdx.x * PITCH + threadIdx.y + j];
}
extern "C" __global__ void transpose_tile(float *out, const float *in, int) { transpose<32>(out, in); }
extern "C" __global__ void transpose_padded(float *out, const float *in, int) { transpose<33>(out, in); }

extern "C" __global__ void strided(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i * 7 + 3) & (n - 1)];
}

// Odd lanes load one way, every fourth of the others stores another way; blocks of 100 leave a warp of 4 lanes.
extern "C" __global__ void divergent(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i & 1)
        v = in[(i * 33) & (n - 1)];
    else if (in[i & (n - 1)] > 0)
        v = in[(i * 5) & (n - 1)] + 1;
    if ((i & 3) == 2 || v > 0.5f)
        out[i & (n - 1)] = v;
}

extern "C" __global__ void atomics(float *out, const float *in, int n)
{
    __shared__ int bins[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bins[threadIdx.x % 64] = 0; // by all: the hardware counts a store of which a warp's lanes are all predicated off too
    __syncthreads();
    int bin = (int)((in[i & (n - 1)] + 1) * 31);
    atomicAdd(&bins[bin], 1);
    atomicAdd(reinterpret_cast<int *>(out) + ((i * 9) & (n - 1)), bin);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(reinterpret_cast<int *>(out) + threadIdx.x, bins[threadIdx.x]);
}

// One shared load of `width` bytes a lane at lane-dependent places, 64 times; the places turn with the round.
template <class T, class F> static __device__ void shared_reads(float *out, F place)
{
    __shared__ T cells[2048];
    int lane = threadIdx.x & 31;
    T sum = {};
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        cells[i] = sum;
    __syncthreads();
#pragma unroll 1
    for (int round = 0; round < 64; round++) {
        volatile const unsigned long long *at = reinterpret_cast<volatile const unsigned long long *>(&cells[place(lane, round) & 2047]);
        if (sizeof(T) == 8) {
            sum.x += (float)*at;
        } else {
            float a, b, c, d;
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(shared_address((const void *)at)));
            sum.x += a + b + c + d;
        }
    }
    if (sum.x != 0)
        out[threadIdx.x] = sum.x;
}
#define READS(name, type, expression) \
    extern "C" __global__ void name(float *out, const float *, int) \
    { \
        shared_reads<type>(out, [](int lane, int round) { return expression; }); \
    }
READS(wide_contiguous, float2, lane + round)
READS(wide_one, float2, round)
READS(wide_pairs, float2, lane / 2 + round)
READS(wide_quads, float2, lane / 4 + round)
READS(wide_halves_alike, float2, (lane & 15) + round)
READS(wide_far_twins, float2, (lane & 5) + (lane & 24) / 2 + round)
READS(wide_stride, float2, lane * 2 + round)
READS(wide_conflict, float2, lane * 16 + round)
READS(wide_two_banks, float2, (lane & 15) * 16 + lane / 16 + round)
READS(quad_contiguous, float4, lane + round)
READS(quad_one, float4, round)
READS(quad_pairs, float4, lane / 2 + round)
READS(quad_quarters_alike, float4, (lane & 7) + round)
READS(quad_conflict, float4, lane * 8 + round)

extern "C" __global__ void shared_bytes(float *out, const float *, int n)
{
    __shared__ unsigned char cells[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        cells[i] = (unsigned char)i;
    __syncthreads();
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < n >> 14; i++)
        sum += *(volatile unsigned char *)&cells[(threadIdx.x * 3 + i) & 4095];
    out[threadIdx.x] = (float)sum;
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void async_copy(float *out, const float *in, int n)
{
    __shared__ float4 cells[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;"
                 : : "r"(shared_address(&cells[threadIdx.x])), "l"(in + 4 * (i & (n / 4 - 1))) : "memory");
    __syncthreads();
    reinterpret_cast<float4 *>(out)[i & (n / 4 - 1)] = cells[threadIdx.x ^ 1];
}
#else
extern "C" __global__ void async_copy(float *, const float *, int) {}
#endif

extern "C" __global__ void matrix_load(float *out, const float *, int n)
{
    __shared__ float4 cells[1024];
    unsigned sum = 0, a, b, c, d;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        cells[i] = float4{1, 2, 3, 4};
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n >> 14; i++) {
        unsigned even = shared_address(&cells[(threadIdx.x * 8 + i) & 1023]), padded = shared_address(&cells[(threadIdx.x * 9 + i) & 1023]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(even));
        sum += a + b + c + d;
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(padded));
        sum += a ^ b;
    }
    out[threadIdx.x] = (float)sum;
}

// Which memory a pointer means is known only when it runs.
extern "C" __global__ void generic(float *out, const float *in, int n)
{
    __shared__ float cells[256];
    cells[threadIdx.x] = (float)n;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *from = in[i & (n - 1)] > 0 ? in + ((i * 3) & (n - 1)) : cells + (threadIdx.x ^ 2);
    out[i & (n - 1)] = *(volatile const float *)from;
}
