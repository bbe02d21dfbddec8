/* Sixteen loads are asked for before the first is used, so that each lane has 64 bytes on its way in the place of four. A lane
 * still takes four bytes at a time: wider loads bring a little more, and ask for buffers that begin at 16 bytes.
 *
 * Expected: near the rate of DRAM. Held against a sum in float64. */
constexpr int THREADS = 256;

static __device__ float2 unpack(unsigned v)
{
    return make_float2(__uint_as_float(v << 16), __uint_as_float(v & 0xffff0000u));
}

static __device__ unsigned pack(float2 v)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(v.y), "f"(v.x));
    return both;
}

static __device__ float2 add(unsigned a, float2 b)
{
    float2 v = unpack(a);
    return make_float2(v.x + b.x, v.y + b.y);
}

extern "C" __global__ void __launch_bounds__(THREADS) totals(unsigned *out, const unsigned *in, int n, int parts)
{
    int pitch = n / 2;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < pitch; i += gridDim.x * THREADS) {
        float2 total = make_float2(0, 0);
#pragma unroll 16
        for (int p = 0; p < parts; p++)
            total = add(in[(size_t)p * pitch + i], total);
        out[i] = pack(total);
    }
}
