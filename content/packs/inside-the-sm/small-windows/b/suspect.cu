// Joins FRAMES exposures of a field into one picture: of the values of each pixel the DROP lowest and the DROP highest are left
// out, the others averaged. Exposures lie behind one another, of `pixels` floats each. A thread owns four pixels.
constexpr int THREADS = 128, DROP = 2;

static __device__ void order(float4 &a, float4 &b)
{
    float4 low = make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
    b = make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
    a = low;
}

static __device__ void add(float4 &sum, float4 v)
{
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
}

extern "C" __global__ void join(float *out, const float *in, int pixels, int frames, float share)
{
    int i = blockIdx.x * THREADS + threadIdx.x, groups = pixels / 4, evens = (groups + 1) / 2;
    int p = i < evens ? 2 * i : 2 * (i - evens) + 1;
    float4 v[FRAMES], sum = {};
    if (i >= groups || frames != FRAMES)
        return;

#pragma unroll
    for (int f = 0; f < FRAMES; f++)
        v[f] = ((const float4 *)(in + (size_t)f * pixels))[p];

#pragma unroll
    for (int d = 0; d < DROP; d++) {
#pragma unroll
        for (int f = d; f < FRAMES - 1 - d; f++)        // the largest to the end
            order(v[f], v[f + 1]);
#pragma unroll
        for (int f = FRAMES - 2 - d; f > d; f--)        // the smallest to the front
            order(v[f - 1], v[f]);
    }

#pragma unroll
    for (int f = DROP; f < FRAMES - DROP; f++)
        add(sum, v[f]);
    ((float4 *)out)[p] = make_float4(sum.x * share, sum.y * share, sum.z * share, sum.w * share);
}
