// A row may have three elements before its first whole vector and three behind its last: six that no vector holds, and a lane
// for each of them.
// Checked against reference.cu, for every length from 4093 on to 4101 among others.
constexpr int DEPTH = 12; // pieces of a lane in one turn

static __device__ float scaled(float v, float a, float b)
{
    return a * v + b;
}

static __device__ float4 scaled(float4 v, float a, float b)
{
    return make_float4(a * v.x + b, a * v.y + b, a * v.z + b, a * v.w + b);
}

template <class V> static __device__ void span(V *to, const V *from, int count, float a, float b)
{
    for (int first = threadIdx.x % 32; first < count; first += 32 * DEPTH) {
        V v[DEPTH];
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
            if (first + 32 * i < count)
                v[i] = from[first + 32 * i];
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
            if (first + 32 * i < count)
                to[first + 32 * i] = scaled(v[i], a, b);
    }
}

extern "C" __global__ void scale(float *y, const float *x, const float *a, const float *b, int rows, int n)
{
    int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;

    for (int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32; r < rows; r += warps) {
        const float *from = x + (size_t)r * n;
        float *to = y + (size_t)r * n;
        int head = min(n, (int)(-(size_t)from / 4 % 4)), vectors = (n - head) / 4;
        int edge = lane < head ? lane : lane + 4 * vectors;
        bool alone = lane < 6 && edge < n;      // an element that no vector holds
        float loose = alone ? from[edge] : 0;
        float by = a[r], plus = b[r];
        span((float4 *)(to + head), (const float4 *)(from + head), vectors, by, plus);
        if (alone)
            to[edge] = scaled(loose, by, plus);
    }
}
