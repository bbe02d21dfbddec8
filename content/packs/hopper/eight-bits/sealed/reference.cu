// The truth: every sum of products, in float64, 16 x 16 of them a block.
static __device__ double number(unsigned char e4m3)
{
    unsigned both;
    float f;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(both) : "h"((unsigned short)e4m3));
    asm("{\n.reg .b16 low, high;\nmov.b32 {low, high}, %1;\ncvt.f32.f16 %0, low;\n}"
        : "=f"(f) : "r"(both));
    return f;
}

extern "C" __global__ void reference(double *c, const unsigned char *a, const unsigned char *b,
                                     float scale, int n)
{
    __shared__ double as[16][17], bs[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * 16 + y, column = blockIdx.y * 16;
    double sum = 0;

    for (int t = 0; t < LENGTH; t += 16) {
        as[y][x] = number(a[(size_t)row * LENGTH + t + x]);
        bs[y][x] = number(b[(size_t)(column + y) * LENGTH + t + x]);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += as[y][i] * bs[x][i];
        __syncthreads();
    }
    c[(size_t)row * n + column + x] = scale * sum;
}
