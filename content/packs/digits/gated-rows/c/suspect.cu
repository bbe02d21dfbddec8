// Rows of 1024 bfloat16 numbers, each times the exponential of its gate, put away as e4m3, with the largest number of
// each row and the sum of squares of what comes back. A warp takes a row, a block eight.
constexpr int WARPS = 8, COLUMNS = 1024, PIECES = COLUMNS / (8 * 32);

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

static __device__ unsigned narrow(unsigned v, float factor, float &squares)
{
    float2 x = unpack(v);
    unsigned codes = encode(make_float2(x.x * factor, x.y * factor));
    float2 back = decode(codes);
    squares += back.x * back.x + back.y * back.y;
    return codes;
}

static __device__ float largest(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) gated(float *out, float *tops, uint2 *codes, const uint4 *in, const float *gates, int rows)
{
    int row = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const uint4 *from = in + (size_t)row * (COLUMNS / 8) + lane;
    uint2 *to = codes + (size_t)row * (COLUMNS / 8) + lane;
    uint4 v[PIECES];
#pragma unroll
    for (int i = 0; i < PIECES; i++)
        v[i] = from[i * 32];

    float gate = __expf(gates[row]), top = 0, squares = 0;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        float2 a = unpack(v[i].x), b = unpack(v[i].y), c = unpack(v[i].z), d = unpack(v[i].w);
        top = fmaxf(top, fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y))));
        top = fmaxf(top, fmaxf(fmaxf(fabsf(c.x), fabsf(c.y)), fmaxf(fabsf(d.x), fabsf(d.y))));
    }
    top = largest(top * gate);
    float factor = exp2f(floorf(log2f(448.0f / fmaxf(top, 1e-30f))));

#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        unsigned a = narrow(v[i].x, gate * factor, squares), b = narrow(v[i].y, gate * factor, squares);
        unsigned c = narrow(v[i].z, gate * factor, squares), d = narrow(v[i].w, gate * factor, squares);
        to[i * 32] = make_uint2(a | b << 16, c | d << 16);
    }
    for (int d = 16; d > 0; d /= 2)
        squares += __shfl_xor_sync(~0u, squares, d);
    if (lane == 0) {
        tops[row] = top;
        out[row] = squares / (factor * factor);
    }
}
