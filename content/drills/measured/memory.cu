// Reads and copies of device memory, for the drills of measured.yaml.

extern "C" __global__ void copy(float4 *out, const float4 *in, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// `passes` times over n elements, past L1. A block begins each pass elsewhere, so that an SM meets lines of all others.
extern "C" __global__ void read_often(float *out, const float4 *in, long long n, int passes)
{
    long long threads = gridDim.x * (long long)blockDim.x;
    float sum = 0;
    for (int p = 0; p < passes; p++) {
        long long block = (blockIdx.x + p * 37LL) % gridDim.x;
        long long i = block * blockDim.x + threadIdx.x;
        for (; i + 3 * threads < n; i += 4 * threads) {
            float4 a = __ldcg(in + i), b = __ldcg(in + i + threads);
            float4 c = __ldcg(in + i + 2 * threads), d = __ldcg(in + i + 3 * threads);
            sum += a.x + b.y + c.z + d.w;
        }
        for (; i < n; i += threads)
            sum += __ldcg(in + i).x;
    }
    if (sum == 12345.678f) // never, but the compiler cannot know
        out[0] = sum;
}

// Each thread adds up four elements; neighbouring lanes are `stride` elements apart.
extern "C" __global__ void read_strided(float *out, const float *in, long long n, long long stride)
{
    long long threads = gridDim.x * (long long)blockDim.x;
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * threads < n)
            sum += in[(i + k * threads) * stride];
    if (sum == 12345.678f)
        out[0] = sum;
}
