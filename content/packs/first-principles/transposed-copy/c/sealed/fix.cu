// The change that tempts: all sixteen loads of a thread into registers first, then the tile.
// The compiler has unrolled the loop already and issues the loads together, so nothing changes: on an H200 at
// 8192 x 8192, plain copy 0.126 ms, this takes 0.134 ms and so does the suspect.
// Checked against reference.cu, exact.
extern "C" __global__ void move(float *out, const float *in, int n)
{
    __shared__ float tile[64][65];
    int x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    int tx = threadIdx.x, ty = threadIdx.y;
    float held[8][2];

#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 2; j++)
            held[i][j] = in[(size_t)(y0 + ty + 8 * i) * n + x0 + tx + 32 * j];
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 2; j++)
            tile[ty + 8 * i][tx + 32 * j] = held[i][j];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; i += 8) {
#pragma unroll
        for (int j = 0; j < 64; j += 32)
            out[(size_t)(x0 + ty + i) * n + y0 + tx + j] = tile[tx + j][ty + i];
    }
}
