// c = a b, n x n floats, n a multiple of 64: tiles of 64 x 64 by 16 x 16 threads, 4 x 4 results a thread.
extern "C" __global__ void __launch_bounds__(256) gemm(float *c, const float *a, int n, const float *b)
{
    __shared__ float at[16][64], bt[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    size_t row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < 1024; i += 256) {
            at[i % 16][i / 16] = a[(row + i / 16) * n + k + i % 16];
            bt[i / 64][i % 64] = b[(size_t)(k + i / 64) * n + column + i % 64];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    sum[y][x] += at[j][ty * 4 + y] * bt[j][tx * 4 + x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            c[(row + ty * 4 + y) * n + column + tx * 4 + x] = sum[y][x];
}
