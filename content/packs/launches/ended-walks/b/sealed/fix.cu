/* The code is the suspect's: what differs is how it is launched. A place on an SM is free again when the last walk
 * of its block has ended. Of 32 walks the longest has four times the mean, of two one and a half times.
 *
 * If all steps took the same time: 1 + 1/2 instead of 1 + 1/2 + ... + 1/32 = 4.06, so 2.7 times as many lists on
 * their way. Measured on an H200: 68 % of the places in use instead of 45 %, and 1.45 times as fast. */
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
    float mean = 0, away = 0;
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++)
        mean += group[k * 32] * (1.0f / ENTRIES);
#pragma unroll 8
    for (int k = 0; k < ENTRIES; k++)
        away += fabsf(group[k * 32] - mean);
    out[(size_t)w * 32 + lane] = away;
}
