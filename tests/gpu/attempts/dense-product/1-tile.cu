// walls: 1
// launch 1: grid ceildiv(n, 32), ceildiv(m, 32); block 32, 32
// A tile of both in shared memory, an element a thread.
constexpr int T = 32;

extern "C" __global__ void __launch_bounds__(T * T) product(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float as[T][T], bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * T + x, row = blockIdx.y * T + y;
    float sum = 0;
    for (int at = 0; at < k; at += T) {
        as[y][x] = row < m && at + x < k ? a[(size_t)row * k + at + x] : 0;
        bs[y][x] = col < n && at + y < k ? b[(size_t)(at + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++)
            sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
}
