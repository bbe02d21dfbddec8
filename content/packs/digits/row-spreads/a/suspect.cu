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
    __shared__ float sums[2];
    const float4 *row = (const float4 *)(in + (size_t)blockIdx.x * cols);
    int lane = threadIdx.x % 32;
    float base = __ldg((const float *)row), sum = 0, square = 0;

    if (threadIdx.x < 2)
        sums[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 4
    for (int c = threadIdx.x; c < cols / 4; c += THREADS) {
        float4 v = row[c];
        v = make_float4(v.x - base, v.y - base, v.z - base, v.w - base);
        sum += (v.x + v.y) + (v.z + v.w);
        square += (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
    }
    sum = warp_sum(sum), square = warp_sum(square);
    if (lane == 0) {
        atomicAdd(&sums[0], sum);
        atomicAdd(&sums[1], square);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float mean = sums[0] / cols;
        out[blockIdx.x] = sums[1] / cols - mean * mean;
    }
}
