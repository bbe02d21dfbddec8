// The truth, in the simplest stable way: a block takes an expert and walks all pairs in their order.
extern "C" __global__ void clear(int *counts)
{
    counts[threadIdx.x] = 0;
}

extern "C" __global__ void tally(int *counts, const int *expert, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(counts + expert[i], 1);
}

extern "C" __global__ void rank(int *slot, double *starts, const int *counts, const int *expert, int n)
{
    __shared__ int found[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = 0;
    for (int e = 0; e < blockIdx.x; e++)
        at += counts[e];
    if (threadIdx.x == 0) {
        starts[blockIdx.x] = at;
        if (blockIdx.x == gridDim.x - 1)
            starts[gridDim.x] = at + counts[blockIdx.x];
    }
    for (int base = 0; base < n; base += blockDim.x) {
        int i = base + threadIdx.x;
        bool mine = i < n && expert[i] == blockIdx.x;
        unsigned votes = __ballot_sync(~0u, mine);
        if (lane == 0)
            found[warp] = __popc(votes);
        __syncthreads();
        int left = 0, all = 0;
        for (int w = 0; w < 32; w++) {
            left += w < warp ? found[w] : 0;
            all += found[w];
        }
        if (mine)
            slot[i] = at + left + __popc(votes & ((1u << lane) - 1));
        at += all;
        __syncthreads();
    }
}

extern "C" __global__ void spread(double *out, const float *row, const int *slot, int n, int choices, int hidden)
{
    int pair = blockIdx.x * blockDim.y + threadIdx.y;
    if (pair < n)
        for (int h = threadIdx.x; h < hidden; h += blockDim.x)
            out[(size_t)slot[pair] * hidden + h] = row[(size_t)(pair / choices) * hidden + h];
}
