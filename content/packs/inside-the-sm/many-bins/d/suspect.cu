// Adds the energies of hits up, cell by cell. A hit has eight samples in two planes, and each sample goes through the
// curve of the kind of sensor that took it.
constexpr int KINDS = 8, TERMS = 8;
constexpr int HELD = 4096; // cells of a table

__constant__ float CURVES[KINDS][TERMS] = {
    {4.10f, 61.3f, 12.9f, 3.71f, 1.18f, 0.402f, 0.133f, 0.047f}, {3.87f, 58.8f, 14.1f, 3.32f, 1.31f, 0.377f, 0.151f, 0.042f},
    {5.02f, 66.0f, 10.7f, 4.05f, 1.02f, 0.455f, 0.118f, 0.053f}, {2.95f, 71.4f, 9.86f, 4.48f, 0.94f, 0.489f, 0.102f, 0.061f},
    {6.33f, 49.2f, 17.5f, 2.89f, 1.57f, 0.341f, 0.172f, 0.036f}, {4.76f, 63.9f, 11.8f, 3.58f, 1.23f, 0.418f, 0.127f, 0.049f},
    {3.14f, 55.1f, 15.2f, 3.16f, 1.40f, 0.362f, 0.160f, 0.039f}, {5.58f, 68.7f, 10.2f, 4.21f, 0.98f, 0.470f, 0.110f, 0.057f},
};

static __device__ float4 curve(float4 x, const float *term, int stride)
{
    float4 y = {0, 0, 0, 0};
#pragma unroll
    for (int t = TERMS - 1; t >= 0; t--) {
        float c = term[t * stride];
        y = make_float4(y.x * x.x + c, y.y * x.y + c, y.z * x.z + c, y.w * x.w + c);
    }
    return y;
}

// In whole units.
static __device__ unsigned energy(float4 front, float4 back, const float *term, int stride)
{
    float4 f = curve(front, term, stride), b = curve(back, term, stride);
    return (unsigned)((f.x + f.y) + (f.z + f.w) + ((b.x + b.y) + (b.z + b.w)) + 0.5f);
}

extern "C" __global__ void __launch_bounds__(512) tally(unsigned *total, const float4 *front, const float4 *back, const int *kind,
                                                        const int *cell, int n)
{
    __shared__ float terms[TERMS][KINDS];
    __shared__ unsigned sum[HELD];

    if (threadIdx.x < KINDS * TERMS)
        terms[threadIdx.x % TERMS][threadIdx.x / TERMS] = CURVES[threadIdx.x / TERMS][threadIdx.x % TERMS];

    for (int first = 0; first < CELLS; first += HELD) {
        for (int c = threadIdx.x; c < HELD; c += blockDim.x)
            sum[c] = 0;
        __syncthreads();

        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            unsigned e = energy(front[i], back[i], &terms[0][kind[i]], KINDS), c = cell[i] - first;
            atomicAdd(&sum[c % HELD], c < HELD ? e : 0);
        }
        __syncthreads();

        for (int c = threadIdx.x; c < HELD && first + c < CELLS; c += blockDim.x)
            atomicAdd(&total[first + c], sum[c]);
        __syncthreads();
    }
}
