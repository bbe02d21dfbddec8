// One pass, a warp to a row. Where rows start on 16 bytes, lanes load four floats at a time; else one.
constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr int ROWS = 64;                        // rows of a block

struct tally {
    float sum, squares, low, high;

    __device__ void take(float x)
    {
        sum += x, squares += x * x;
        low = fminf(low, x), high = fmaxf(high, x);
    }

    __device__ void take(float4 x, float base)
    {
        take(x.x - base), take(x.y - base), take(x.z - base), take(x.w - base);
    }
};

static __device__ void walk4(tally &t, const float4 *row, int cols, int lane, float base)
{
    int c = lane;
    for (; c + 7 * 32 < cols; c += 8 * 32) {
        float4 v[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = row[c + i * 32];
#pragma unroll
        for (int i = 0; i < 8; i++)
            t.take(v[i], base);
    }
    for (; c < cols; c += 32)
        t.take(row[c], base);
}

static __device__ void walk1(tally &t, const float *row, int cols, int lane, float base)
{
#pragma unroll 8
    for (int c = lane; c < cols; c += 32)
        t.take(row[c] - base);
}

extern "C" __global__ void __launch_bounds__(THREADS, 4)
    stats(float *mean, float *variance, float *reach, const float *in, int rows, int cols)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int first = blockIdx.x * ROWS, end = min(first + ROWS, rows);
    bool wide = cols % 4 == 0 && (size_t)in % 16 == 0;

    for (int r = first + warp; r < end; r += WARPS) {
        const float *row = in + (size_t)r * cols;
        float base = row[0];
        tally t = {};
        if (wide)
            walk4(t, (const float4 *)row, cols / 4, lane, base);
        else
            walk1(t, row, cols, lane, base);
#pragma unroll
        for (int d = 16; d > 0; d /= 2) {
            t.sum += __shfl_xor_sync(~0u, t.sum, d);
            t.squares += __shfl_xor_sync(~0u, t.squares, d);
            t.low = fminf(t.low, __shfl_xor_sync(~0u, t.low, d));
            t.high = fmaxf(t.high, __shfl_xor_sync(~0u, t.high, d));
        }
        if (lane == 0) {
            float m = t.sum / cols;
            mean[r] = base + m;
            variance[r] = t.squares / cols - m * m;
            reach[r] = fmaxf(t.high - m, m - t.low);
        }
    }
}
