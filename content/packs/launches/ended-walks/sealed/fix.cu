/* A walk is a chain, and walks end by chance, so all that hides the wait for a list is other walks. The entries of
 * the group at the end are read twice: the second time they come from L1 or L2, and nothing is kept for it while
 * the walk goes on. Blocks of two warps: an SM keeps 32 of them, which is every place that it has, and a place is
 * free again when both walks of its block have ended.
 *
 * Expected: of two walks the longer has one and a half times the mean, so two thirds of 64 lists of 128 bytes are
 * on their way on each SM: 0.7 MB in all, which at 550 ns are 1.3 TB/s. */
static __device__ unsigned mix(unsigned v)
{
    v = (v ^ v >> 16) * 0x7feb352du;
    v = (v ^ v >> 15) * 0x846ca68bu;
    return v ^ v >> 16;
}

// An entry e leads to node e / 32. The one with the highest draw is taken.
static __device__ int follow(const int *graph, int walk, int at)
{
    int lane = threadIdx.x % 32;
    for (int s = 0; s < 4096; s++) {
        int e = graph[(size_t)at * 32 + lane];
        unsigned draw = (mix(e + 77 * s ^ walk) & ~31u) + lane;
        e = __shfl_sync(0xffffffff, e, __reduce_max_sync(0xffffffff, draw) % 32);
        at = e / 32;
        if (e % 64 == 0)
            break;
    }
    return at;
}

extern "C" __global__ void walk(float *out, const int *graph, const float *groups, int nodes, int walks)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= walks)
        return;

    int end = follow(graph, w, (int)((long long)w * nodes / walks));
    const float *group = groups + end % 256 * (ENTRIES * 32) + lane;
    float sum = 0, away = 0;
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++)
        sum += group[k * 32];
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++)
        away += fabsf(group[k * 32] - sum / ENTRIES);
    out[(size_t)w * 32 + lane] = away;
}
