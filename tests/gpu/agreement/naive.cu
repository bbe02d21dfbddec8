// Transposition of n x n floats whose stores walk down a column. Blocks of 32 x 8, 32 rows each.
extern "C" __global__ void naive(float *out, const float *in, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        out[(size_t)x * n + y + i] = in[(size_t)(y + i) * n + x];
}
