// Whole vectors in every row: a row's first boundary of 16 bytes is found from its address, the few floats before it and behind
// the last whole vector get a lane each, and the vectors between go eight to a lane, all loads before the first store. The
// compiler cannot bring a load before a store by itself, since y might be x.
// Measured on an H200: 88 % of the speed of a copy. With 8 vectors a lane, 6 warps ask for 24 KiB in one turn; half of
// 4.8 TB/s for 650 ns are 12 KB for each SM.
// Checked against reference.cu.
constexpr int DEPTH = 8; // pieces of a lane in one turn

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
        float loose = edge < n ? from[edge] : 0;
        float by = a[r], plus = b[r];
        span((float4 *)(to + head), (const float4 *)(from + head), vectors, by, plus);
        if (edge < n)
            to[edge] = scaled(loose, by, plus);
    }
}
