/* Long recordings are begun first, so that short ones fill what is left at the end. Eight warps a block let an SM be
 * full of warps; each has one page on its way, and no more can be had, since a page tells where the next one is.
 *
 * Expected: 64 pages on their way on every SM, which come after 600 ns or so. Held against float64. */
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
