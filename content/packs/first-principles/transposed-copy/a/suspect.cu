// Turns an n x n row-major matrix around. A block owns a patch of 64 x 64.
extern "C" __global__ void move(float *out, const float *in, int n)
{
    int x0 = blockIdx.x * 64 + threadIdx.x;
    int y0 = blockIdx.y * 64 + threadIdx.y;

#pragma unroll
    for (int j = 0; j < 64; j += 32) {
#pragma unroll
        for (int i = 0; i < 64; i += 8) {
            int x = x0 + j;
            int y = y0 + i;
            out[(size_t)x * n + y] = in[(size_t)y * n + x];
        }
    }
}
