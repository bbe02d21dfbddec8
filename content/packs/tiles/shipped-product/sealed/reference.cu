static __device__ double number(unsigned short h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}

extern "C" __global__ void reference(double *c, const unsigned short *a, const unsigned short *b, int m, int n, int k)
{
    __shared__ double as[16][17], bs[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    double sum = 0;
    for (int t = 0; t < k; t += 16) {
        as[y][x] = row < m && t + x < k ? number(a[(size_t)row * k + t + x]) : 0;
        bs[y][x] = t + y < k && col < n ? number(b[(size_t)(t + y) * n + col]) : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += as[y][i] * bs[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[(size_t)row * n + col] = sum;
}
