static __device__ float low(unsigned v)
{
    return __uint_as_float(v << 16);
}

static __device__ float high(unsigned v)
{
    return __uint_as_float(v & 0xffff0000u);
}

// One layer of a card: its half of the columns, for all rows. A warp has a row at a time.
extern "C" __global__ void half(float *__restrict__ part, const unsigned short *__restrict__ weights, const float *__restrict__ x, int hidden, int rank, int layer)
{
    int lane = threadIdx.x % 32, wide = hidden / 2;
    const float4 *mine = (const float4 *)(x + (long long)rank * wide);
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < hidden; row += gridDim.x * blockDim.x / 32) {
        const uint4 *w = (const uint4 *)(weights + ((long long)layer * hidden + row) * wide);
        float sum = 0;
        for (int i = lane; i < wide / 8; i += 32) {
            uint4 v = w[i];
            float4 a = mine[2 * i], b = mine[2 * i + 1];
            sum += low(v.x) * a.x + high(v.x) * a.y + low(v.y) * a.z + high(v.y) * a.w;
            sum += low(v.z) * b.x + high(v.z) * b.y + low(v.w) * b.z + high(v.w) * b.w;
        }
        for (int d = 16; d; d /= 2)
            sum += __shfl_xor_sync(~0u, sum, d);
        if (lane == 0)
            part[row] = sum;
    }
}
