// Smooths every pixel of a stack of frames along time: result t is the sum of nine frames around t, each with its tap. The first
// and the last frame stand in for those beyond. A frame has n groups of four pixels; a block has THREADS threads.
constexpr int TAPS = 9, REACH = TAPS / 2;       // frames before and behind t
constexpr int RESULTS = 1;                      // computed in one step, from as many frames and those that reach into them

static __device__ void add(float4 &sum, float tap, const float4 &v)
{
    sum.x += tap * v.x, sum.y += tap * v.y, sum.z += tap * v.z, sum.w += tap * v.w;
}

extern "C" __global__ void __launch_bounds__(THREADS) smooth(float4 *out, const float4 *in, const float *taps, int n, int frames)
{
    float tap[TAPS];
#pragma unroll
    for (int j = 0; j < TAPS; j++)
        tap[j] = taps[j];

    for (int group = blockIdx.x * THREADS + threadIdx.x; group < n; group += gridDim.x * THREADS) {
        float4 v[2 * REACH + RESULTS];          // frames first - REACH, ..., of which a step loads the last
#pragma unroll
        for (int i = 0; i < 2 * REACH; i++)
            v[i] = in[(size_t)min(max(i - REACH, 0), frames - 1) * n + group];
        for (int first = 0; first < frames; first += RESULTS) {
#pragma unroll
            for (int i = 0; i < RESULTS; i++)
                v[2 * REACH + i] = in[(size_t)min(first + i + REACH, frames - 1) * n + group];
#pragma unroll
            for (int i = 0; i < RESULTS; i++) {
                float4 sum = {};
#pragma unroll
                for (int j = 0; j < TAPS; j++)
                    add(sum, tap[j], v[i + j]);
                if (first + i < frames)
                    out[(size_t)(first + i) * n + group] = sum;
            }
#pragma unroll
            for (int i = 0; i < 2 * REACH; i++)
                v[i] = v[i + RESULTS];
        }
    }
}
