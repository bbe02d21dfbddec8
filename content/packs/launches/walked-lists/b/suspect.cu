// Walks through a graph. A node has a list of 64 ends of edges, edge e ends at node e / 64; what a walk meets last counts most.
constexpr int WALKS = 16;

extern "C" __global__ void walk(float2 *out, const int2 *graph, int nodes, int walks, float keep)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * WALKS, lane = threadIdx.x % 32;
    int at[WALKS];
    float2 sum[WALKS] = {};
#pragma unroll
    for (int i = 0; i < WALKS; i++)
        at[i] = (int)((long long)min(w + i, walks - 1) * nodes / walks);

    for (int s = 0; s < STEPS; s++) {
        int2 node[WALKS];
#pragma unroll
        for (int i = 0; i < WALKS; i++)
            node[i] = graph[(size_t)at[i] * 32 + lane];
#pragma unroll
        for (int i = 0; i < WALKS; i++) {
            sum[i].x = sum[i].x * keep + (node[i].x & 1023);
            sum[i].y = sum[i].y * keep + (node[i].y & 1023);
            at[i] = __shfl_sync(0xffffffff, s % 2 ? node[i].y : node[i].x, (w + i + s) % 32) / 64;
        }
    }
#pragma unroll
    for (int i = 0; i < WALKS; i++)
        if (w + i < walks)
            out[(size_t)(w + i) * 32 + lane] = sum[i];
}
