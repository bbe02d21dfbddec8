// Walks through a graph. A node has a list of 32 ends of edges, edge e ends at node e / 32; what a walk meets last counts most.
extern "C" __global__ void walk(float *out, const int *graph, int nodes, int walks, float keep)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= walks)
        return;

    int at = (int)((long long)w * nodes / walks);
    const int *mine = graph + lane;
    float sum = 0;
    for (int s = 0; s < STEPS; s++) {
        int node = mine[(size_t)at * 32];
        sum = sum * keep + (node & 1023);
        at = __shfl_sync(0xffffffff, node, (w + s) % 32) / 32;
    }
    out[(size_t)w * 32 + lane] = sum;
}
