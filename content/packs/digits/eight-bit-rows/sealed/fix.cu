/* The factor of a row comes from its own largest number, which then becomes 448: nothing is cut off, and the others
 * have as many digits as the type has. The row waits in registers meanwhile, so that this costs a barrier and no
 * bytes. Two numbers are converted by one instruction, and come back by another.
 *
 * Expected: three bytes a number at the rate of a copy; some twelve instructions for each, where DRAM leaves time
 * for about twenty. Held against sums of squares of the rows as they came, in float64. */
constexpr int THREADS = 256, WARPS = THREADS / 32, PIECES = COLUMNS / (8 * THREADS);

static __device__ float2 unpack(unsigned v)
{
    return make_float2(__uint_as_float(v << 16), __uint_as_float(v & 0xffff0000u));
}

static __device__ unsigned encode(float2 v)
{
    unsigned short codes;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(codes) : "f"(v.y), "f"(v.x));
    return codes;
}

static __device__ float2 decode(unsigned codes)
{
    unsigned both;
    float low, high;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(both) : "h"((unsigned short)codes));
    asm("{ .reg .f16 a, b; mov.b32 {a, b}, %2; cvt.f32.f16 %0, a; cvt.f32.f16 %1, b; }" : "=f"(low), "=f"(high) : "r"(both));
    return make_float2(low, high);
}

static __device__ float largest(float v, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % WARPS];
    for (int d = WARPS / 2; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

static __device__ float total(float v, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % WARPS];
    for (int d = WARPS / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

static __device__ unsigned narrow(unsigned v, float factor, float &squares)
{
    float2 x = unpack(v);
    unsigned codes = encode(make_float2(x.x * factor, x.y * factor));
    float2 back = decode(codes);
    squares += back.x * back.x + back.y * back.y;
    return codes;
}

extern "C" __global__ void __launch_bounds__(THREADS) narrowed(float *out, float *factors, uint2 *codes, const uint4 *in)
{
    __shared__ float tops[WARPS], sums[WARPS];
    const uint4 *from = in + (size_t)blockIdx.x * (COLUMNS / 8) + threadIdx.x;
    uint2 *to = codes + (size_t)blockIdx.x * (COLUMNS / 8) + threadIdx.x;
    uint4 v[PIECES];
#pragma unroll
    for (int i = 0; i < PIECES; i++)
        v[i] = from[i * THREADS];

    float top = 0;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        float2 a = unpack(v[i].x), b = unpack(v[i].y), c = unpack(v[i].z), d = unpack(v[i].w);
        top = fmaxf(top, fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y))));
        top = fmaxf(top, fmaxf(fmaxf(fabsf(c.x), fabsf(c.y)), fmaxf(fabsf(d.x), fabsf(d.y))));
    }
    top = fmaxf(largest(top, tops), 1e-30f);
    float factor = 448.0f / top;

    float squares = 0;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned a = narrow(v[i].x, factor, squares), b = narrow(v[i].y, factor, squares);
        unsigned c = narrow(v[i].z, factor, squares), d = narrow(v[i].w, factor, squares);
        to[i * THREADS] = make_uint2(a | b << 16, c | d << 16);
    }
    squares = total(squares, sums);
    if (threadIdx.x == 0) {
        factors[blockIdx.x] = 1 / factor;
        out[blockIdx.x] = squares / (factor * factor);
    }
}
