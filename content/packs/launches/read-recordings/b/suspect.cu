// The last level of n recordings of 32 channels, whose lengths rise evenly from `least` to `most` pages. A warp takes a recording.
extern "C" __global__ void levels(float *out, const int *in, int pages, int n, int least, int most, float pace)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    i = n - 1 - i;
    int count = least + (int)((long long)i * (most - least + 1) / n), page = (int)((long long)i * pages / n);
    float level = 0, unit = 1.0f / (32.0f * pages);

    for (int t = 0; t < count; t++) {
        int value = in[(size_t)page * 32 + lane];
        level += pace * (value * unit - level);
        page = __shfl_sync(~0u, value, t % 32) / 32;
    }
    out[i * 32 + lane] = level;
}
