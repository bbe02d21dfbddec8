// Walks through a graph. A node has a list of 32 ends of edges, edge e ends at node e / 32; what a walk meets last counts most.
constexpr int WALKS = 24;

extern "C" __global__ void walk(float *out, const int *graph, int nodes, int walks, float keep)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * WALKS, lane = threadIdx.x % 32;
    int at[WALKS];
    float sum[WALKS] = {};
#pragma unroll
    for (int i = 0; i < WALKS; i++)
        at[i] = (int)((long long)min(w + i, walks - 1) * nodes / walks);

    for (int s = 0; s < STEPS; s++) {
        int node[WALKS];
#pragma unroll
        for (int i = 0; i < WALKS; i++)
            node[i] = graph[(size_t)at[i] * 32 + lane];
#pragma unroll
        for (int i = 0; i < WALKS; i++) {
            sum[i] = sum[i] * keep + (node[i] & 1023);
            at[i] = __shfl_sync(0xffffffff, node[i], (w + i + s) % 32) / 32;
        }
    }
#pragma unroll
    for (int i = 0; i < WALKS; i++)
        if (w + i < walks)
            out[(size_t)(w + i) * 32 + lane] = sum[i];
}
