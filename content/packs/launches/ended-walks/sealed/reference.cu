/* The truth: a lane of a walk a thread, in float64. */
static __device__ unsigned mix(unsigned v)
{
    v = (v ^ v >> 16) * 0x7feb352du;
    v = (v ^ v >> 15) * 0x846ca68bu;
    return v ^ v >> 16;
}

extern "C" __global__ void reference(double *out, const int *graph, const float *groups, int nodes, int walks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i / 32;
    if (w >= walks)
        return;
    int at = (int)((long long)w * nodes / walks);
    for (int s = 0; s < 4096; s++) {
        const int *list = graph + (size_t)at * 32;
        unsigned best = 0;
        for (int k = 0; k < 32; k++)
            best = max(best, (mix(list[k] + 77 * s ^ w) & ~31u) + k);
        int e = list[best % 32];
        at = e / 32;
        if (e % 64 == 0)
            break;
    }
    const float *group = groups + at % 256 * (ENTRIES * 32) + i % 32;
    double sum = 0, away = 0;
    for (int k = 0; k < ENTRIES; k++)
        sum += group[k * 32];
    for (int k = 0; k < ENTRIES; k++)
        away += fabs(group[k * 32] - sum / ENTRIES);
    out[i] = away;
}
