// A pixel needs no window: it keeps its DROP lowest and DROP highest so far, and adds up what they push out. Whatever is pushed
// out of the lowest meets the highest; whatever is pushed out of those is one of the values between.
constexpr int THREADS = 128, DROP = 2, ENDS = 2 * DROP;

static __device__ void order(float4 &a, float4 &b)
{
    float4 low = make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
    b = make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
    a = low;
}

extern "C" __global__ void __launch_bounds__(THREADS) join(float *out, const float *in, int pixels, int frames, float share)
{
    int p = blockIdx.x * THREADS + threadIdx.x;
    float4 end[ENDS], sum = {};
    if (p >= pixels / 4 || frames != FRAMES)
        return;

#pragma unroll
    for (int f = 0; f < ENDS; f++)
        end[f] = ((const float4 *)(in + (size_t)f * pixels))[p];
#pragma unroll
    for (int n = ENDS - 1; n > 0; n--) {
#pragma unroll
        for (int f = 0; f < n; f++)
            order(end[f], end[f + 1]);
    }

#pragma unroll 10
    for (int f = ENDS; f < FRAMES; f++) {
        float4 v = ((const float4 *)(in + (size_t)f * pixels))[p];
#pragma unroll
        for (int d = 0; d < DROP; d++)
            order(end[d], v);
#pragma unroll
        for (int d = ENDS - 1; d >= DROP; d--)
            order(v, end[d]);
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
    ((float4 *)out)[p] = make_float4(sum.x * share, sum.y * share, sum.z * share, sum.w * share);
}
