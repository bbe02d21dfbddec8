/* The code is the suspect's: what differs is how it is launched. Blocks of eight warps fill the 64 places of an SM, where
 * 32 blocks of one warp, which is all that an SM keeps, fill half of them.
 *
 * Expected: 64 lists of 256 bytes on their way on each of 132 SMs are 2.2 MB, which at 700 ns are 3.1 TB/s. */
extern "C" __global__ void walk(float2 *out, const int2 *graph, int nodes, int walks, float keep)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (w >= walks)
        return;

    int at = (int)((long long)w * nodes / walks);
    const int2 *mine = graph + lane;
    float2 sum = {};
    for (int s = 0; s < STEPS; s++) {
        int2 node = mine[(size_t)at * 32];
        sum.x = sum.x * keep + (node.x & 1023);
        sum.y = sum.y * keep + (node.y & 1023);
        at = __shfl_sync(0xffffffff, s % 2 ? node.y : node.x, (w + s) % 32) / 64;
    }
    out[(size_t)w * 32 + lane] = sum;
}
