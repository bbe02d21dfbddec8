// Turns an n x n row-major matrix around. A block owns a patch of 64 x 64.
extern "C" __global__ void move(float *out, const float *in, int n)
{
    __shared__ float tile[64][65];
    int x0 = blockIdx.x * 64;
    int y0 = blockIdx.y * 64;

#pragma unroll
    for (int i = threadIdx.y; i < 64; i += 8) {
#pragma unroll
        for (int j = threadIdx.x; j < 64; j += 32)
            tile[i][j] = in[(size_t)(y0 + i) * n + x0 + j];
    }
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.y; i < 64; i += 8) {
#pragma unroll
        for (int j = threadIdx.x; j < 64; j += 32)
            out[(size_t)(x0 + i) * n + y0 + j] = tile[j][i];
    }
}
