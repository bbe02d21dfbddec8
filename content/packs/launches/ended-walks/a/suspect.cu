// Walks through a graph that end by chance, and how far the entries of the group at the end lie from their mean. A warp takes a walk.
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
    extern __shared__ float kept[];
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= walks)
        return;

    int end = follow(graph, w, (int)((long long)w * nodes / walks));
    const float *group = groups + end % 256 * (ENTRIES * 32) + lane;
    float *v = kept + threadIdx.x, sum = 0, away = 0;
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++) {
        v[k * blockDim.x] = group[k * 32];
        sum += v[k * blockDim.x];
    }
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++)
        away += fabsf(v[k * blockDim.x] - sum / ENTRIES);
    out[(size_t)w * 32 + lane] = away;
}
