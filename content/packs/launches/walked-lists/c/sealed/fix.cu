/* The code is the suspect's: what differs is how it is launched. Blocks of eight warps fill the 64 places of an SM, where
 * 32 blocks of one warp, which is all that an SM keeps, fill half of them.
 *
 * Expected: 64 lists of 128 bytes on their way on each of 132 SMs are 1.1 MB, which at 550 ns are 2.0 TB/s. */
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
