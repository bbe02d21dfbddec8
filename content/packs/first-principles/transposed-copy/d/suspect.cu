// Turns an n x n row-major matrix around. A block owns a patch of 64 x 64.
struct shape {
    long long rows, cols;
};

static __device__ long long turned(long long i, shape of)
{
    long long size = of.rows * of.cols, first = i / size * size;
    i %= size;
    return first + i % of.cols * of.rows + i / of.cols;
}

extern "C" __global__ void move(float *out, const float *in, int n)
{
    __shared__ float tile[64][65];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    int tx = threadIdx.x, ty = threadIdx.y;
    shape whole = {n, n};

#pragma unroll 2
    for (int i = 0; i < 64; i += 8) {
#pragma unroll
        for (int j = 0; j < 64; j += 32) {
            long long at = (long long)(x0 + tx + j) * n + y0 + ty + i;
            tile[ty + i][tx + j] = in[turned(at, whole)];
        }
    }
    __syncthreads();
#pragma unroll 2
    for (int i = 0; i < 64; i += 8) {
#pragma unroll
        for (int j = 0; j < 64; j += 32) {
            long long at = (long long)(y0 + tx + j) * n + x0 + ty + i;
            out[turned(at, whole)] = tile[tx + j][ty + i];
        }
    }
}
