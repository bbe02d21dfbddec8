// The spread of each row of `cols` samples, cols a multiple of four. A block takes a row.
constexpr int THREADS = 256, WARPS = THREADS / 32;

static __device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) spreads(float *out, const float *in, int cols)
{
    __shared__ float sums[WARPS], squares[WARPS];
    const float4 *row = (const float4 *)(in + (size_t)blockIdx.x * cols);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0, square = 0;

#pragma unroll 4
    for (int c = threadIdx.x; c < cols / 4; c += THREADS) {
        float4 v = row[c];
        sum += (v.x + v.y) + (v.z + v.w);
        square += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    sum = warp_sum(sum), square = warp_sum(square);
    if (lane == 0)
        sums[warp] = sum, squares[warp] = square;
    __syncthreads();
    if (warp > 0)
        return;
    sum = warp_sum(lane < WARPS ? sums[lane] : 0);
    square = warp_sum(lane < WARPS ? squares[lane] : 0);
    float mean = sum / cols;
    if (lane == 0)
        out[blockIdx.x] = square / cols - mean * mean;
}
