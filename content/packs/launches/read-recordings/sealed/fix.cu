/* Long recordings are begun first, so that short ones fill what is left at the end. Eight warps a block let an SM be
 * full of warps, and each asks for three samples before it needs the first: 64 warps with 384 bytes each are 24 KiB on
 * their way on every SM, about what DRAM at its peak wants for 700 ns.
 *
 * Expected: nine tenths of a copy's rate or more. Held against float64. */
constexpr int AHEAD = 3;

extern "C" __global__ void levels(float *out, const float *in, int n, int least, int most, float pace)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    i = n - 1 - i;
    int count = least + (int)((long long)i * (most - least + 1) / n);
    const float *from = in + (size_t)i * most * 32 + lane;
    float level = 0;

#pragma unroll 1
    for (int t = 0; t < count; t += AHEAD) {
        float sample[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            sample[k] = from[min(t + k, count - 1) * 32];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (t + k < count)
                level += pace * (sample[k] - level);
    }
    out[i * 32 + lane] = level;
}
