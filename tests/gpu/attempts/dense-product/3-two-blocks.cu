// walls: 3
// launch 1: grid ceildiv(n, 128), ceildiv(m, 128); block 256
// The best with two blocks an SM.
constexpr int M = 128, N = 128, K = 16, THREADS = 256;
constexpr int PITCH = M + 4;                // of a, which is written by columns

struct step { float4 a[2], b[2]; };         // what a thread moves of one

static __device__ float4 four(const float *p, int left, bool whole)
{
    if (whole)
        return *(const float4 *)p;
    return make_float4(left > 0 ? p[0] : 0, left > 1 ? p[1] : 0, left > 2 ? p[2] : 0, left > 3 ? p[3] : 0);
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    product(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float as[2][K][PITCH], bs[2][K][N];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int row0 = blockIdx.y * M, col0 = blockIdx.x * N;
    int y = warp / 2 * 32 + lane / 8 * 4, x = warp % 2 * 64 + lane % 8 * 4;     // of its first 4 by 4; others lie 16 and 32 further
    bool even = k % 4 == 0 && n % 4 == 0 && ((size_t)a | (size_t)b | (size_t)c) % 16 == 0;
    float sum[8][8] = {};
    step s;

    auto load = [&](int at) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int row = row0 + t / 4 + i * 64, col = at + t % 4 * 4, left = row < m ? k - col : 0;
            s.a[i] = four(a + (size_t)row * k + col, left, even && left >= 4);
            row = at + t / 32 + i * 8, col = col0 + t % 32 * 4, left = row < k ? n - col : 0;
            s.b[i] = four(b + (size_t)row * n + col, left, even && left >= 4);
        }
    };
    auto put = [&](int buffer) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int row = t / 4 + i * 64, col = t % 4 * 4;
            as[buffer][col][row] = s.a[i].x, as[buffer][col + 1][row] = s.a[i].y;
            as[buffer][col + 2][row] = s.a[i].z, as[buffer][col + 3][row] = s.a[i].w;
            *(float4 *)&bs[buffer][t / 32 + i * 8][t % 32 * 4] = s.b[i];
        }
    };

    load(0);
    put(0);
    __syncthreads();
    for (int at = 0, buffer = 0; at < k; at += K, buffer ^= 1) {
        if (at + K < k)
            load(at + K);
#pragma unroll
        for (int i = 0; i < K; i++) {
            float u[8], v[8];
            *(float4 *)u = *(const float4 *)&as[buffer][i][y], *(float4 *)(u + 4) = *(const float4 *)&as[buffer][i][y + 16];
            *(float4 *)v = *(const float4 *)&bs[buffer][i][x], *(float4 *)(v + 4) = *(const float4 *)&bs[buffer][i][x + 32];
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[p][q] += u[p] * v[q];
        }
        if (at + K < k)
            put(buffer ^ 1);
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 8; q += 4) {
            int row = row0 + y + p / 4 * 16 + p % 4, col = col0 + x + q * 8;
            float *to = c + (size_t)row * n + col;
            if (row < m && even && col + 4 <= n)
                *(float4 *)to = make_float4(sum[p][q], sum[p][q + 1], sum[p][q + 2], sum[p][q + 3]);
            else
                for (int i = 0; i < 4 && row < m; i++)
                    if (col + i < n)
                        to[i] = sum[p][q + i];
        }
}
