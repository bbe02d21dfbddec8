constexpr int DEPTH = 8; // pieces of a lane in one turn
constexpr int LANES = 8;

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
    for (int first = threadIdx.x % LANES; first < count; first += LANES * DEPTH) {
        V v[DEPTH];
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
            if (first + LANES * i < count)
                v[i] = from[first + LANES * i];
#pragma unroll
        for (int i = 0; i < DEPTH; i++)
            if (first + LANES * i < count)
                to[first + LANES * i] = scaled(v[i], a, b);
    }
}

template <int HEAD> static __device__ void line(float *to, const float *from, int n, float a, float b)
{
    int lane = threadIdx.x % LANES, head = min(n, HEAD), vectors = (n - head) / 4;
    int edge = lane < head ? lane : lane + 4 * vectors;
    float loose = edge < n ? from[edge] : 0;
    span((float4 *)(to + head), (const float4 *)(from + head), vectors, a, b);
    if (edge < n)
        to[edge] = scaled(loose, a, b);
}

extern "C" __global__ void scale(float *y, const float *x, const float *a, const float *b, int rows, int n)
{
    int groups = gridDim.x * blockDim.x / LANES;

    for (int r = (blockIdx.x * blockDim.x + threadIdx.x) / LANES; r < rows; r += groups) {
        const float *from = x + (size_t)r * n;
        float *to = y + (size_t)r * n;
        float by = a[r], plus = b[r];
        switch (-(size_t)from / 4 % 4) {
        case 0: line<0>(to, from, n, by, plus); break;
        case 1: line<1>(to, from, n, by, plus); break;
        case 2: line<2>(to, from, n, by, plus); break;
        default: line<3>(to, from, n, by, plus);
        }
    }
}
