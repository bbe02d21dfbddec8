// The truth: every sum of products, in float64, 16 x 16 of them a block.
static __device__ double number(unsigned short h)
{
    return __uint_as_float((unsigned)h << 16);
}

extern "C" __global__ void reference(double *c, const unsigned short *a, const unsigned short *b,
                                     int n)
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
    c[(size_t)row * n + column + x] = sum;
}
