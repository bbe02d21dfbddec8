// Walks through a graph. A node has a list of 64 ends of edges, edge e ends at node e / 64; what a walk meets last counts most.
extern "C" __global__ void walk(float2 *out, const int2 *graph, int nodes, int walks, float keep)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= walks)
        return;

    int at = (int)((long long)w * nodes / walks);
    float2 met[STEPS], sum = {};
    float share = 1;
#pragma unroll
    for (int s = 0; s < STEPS; s++) {
        int2 node = graph[(size_t)at * 32 + lane];
        met[s] = make_float2(node.x & 1023, node.y & 1023);
        at = __shfl_sync(0xffffffff, s % 2 ? node.y : node.x, (w + s) % 32) / 64;
    }
#pragma unroll
    for (int s = STEPS - 1; s >= 0; s--) {
        sum.x += met[s].x * share;
        sum.y += met[s].y * share;
        share *= keep;
    }
    out[(size_t)w * 32 + lane] = sum;
}
