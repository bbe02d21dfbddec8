// walls: 2
// launch 1: grid ceildiv(n, 64), ceildiv(m, 64); block 256
// A block owns 64 by 64 elements of c, a thread 4 by 4.
constexpr int T = 64, K = 16;

extern "C" __global__ void __launch_bounds__(256) product(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[K][T + 1], bs[K][T];
    int t = threadIdx.x, x = t % 16, y = t / 16, row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float sum[4][4] = {};
    for (int at = 0; at < k; at += K) {
        for (int e = t; e < T * K; e += 256) {
            int row = row0 + e / K, col = at + e % K;
            as[e % K][e / K] = row < m && col < k ? a[(size_t)row * k + col] : 0;
            row = at + e / T, col = col0 + e % T;
            bs[e / T][e % T] = row < k && col < n ? b[(size_t)row * n + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < K; i++)
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += as[i][y + 16 * p] * bs[i][x + 16 * q];
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) {
            int row = row0 + y + 16 * p, col = col0 + x + 16 * q;
            if (row < m && col < n)
                c[(size_t)row * n + col] = sum[p][q];
        }
}
