// Softmax along the rows of a matrix of COLUMNS columns. A block owns a row, which stays in registers from its one read
// to its one write.
constexpr int THREADS = 512, WARPS = THREADS / 32, PIECES = COLUMNS / (4 * THREADS);

template <int WIDTH> static __device__ float total(float v)
{
#pragma unroll
    for (int d = WIDTH / 2; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) softmax(float *out, const float *in)
{
    __shared__ float sums[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float4 *from = (const float4 *)(in + (size_t)blockIdx.x * COLUMNS) + threadIdx.x;
    float4 *to = (float4 *)(out + (size_t)blockIdx.x * COLUMNS) + threadIdx.x;
    float4 v[PIECES];

#pragma unroll
    for (int i = 0; i < PIECES; i++)
        v[i] = from[i * THREADS];

    float sum = 0;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        v[i].x = __expf(v[i].x), v[i].y = __expf(v[i].y);
        v[i].z = __expf(v[i].z), v[i].w = __expf(v[i].w);
        sum += (v[i].x + v[i].y) + (v[i].z + v[i].w);
    }
    sum = total<32>(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    float scale = 1.0f / total<WARPS>(sums[lane % WARPS]);

#pragma unroll
    for (int i = 0; i < PIECES; i++)
        to[i * THREADS] = make_float4(v[i].x * scale, v[i].y * scale, v[i].z * scale, v[i].w * scale);
}
