/* The truth: a warp to a recording, in float64. */
extern "C" __global__ void reference(double *out, const int *in, int pages, int n, int least, int most, float pace)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    int count = least + (int)((long long)i * (most - least + 1) / n), page = (int)((long long)i * pages / n);
    double level = 0;
    for (int t = 0; t < count; t++) {
        int value = in[(size_t)page * 32 + lane];
        level += pace * (value / (32.0 * pages) - level);
        page = __shfl_sync(~0u, value, t % 32) / 32;
    }
    out[i * 32 + lane] = level;
}
