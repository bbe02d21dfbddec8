// Mean, variance and largest deviation from the mean of every row of a matrix. A block owns ROWS rows.
constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr int ROWS = THREADS;
constexpr int BATCH = 32;                       // elements that a thread loads before it takes the first
constexpr int ENOUGH = 4864;                    // elements that settle the numbers of a row

// Takes the elements first, first + step, ... of a row.
template <typename Take> static __device__ void walk(const float *row, int cols, int first, int step, Take take)
{
    int c = first;
    for (; c + (BATCH - 1) * step < cols; c += BATCH * step) {
        float v[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            v[i] = row[c + i * step];
#pragma unroll
        for (int i = 0; i < BATCH; i++)
            take(v[i]);
    }
    for (; c < cols; c += step)
        take(row[c]);
}

static __device__ float total(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

static __device__ float largest(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    stats(float *mean, float *variance, float *reach, const float *in, int rows, int cols)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int first = blockIdx.x * ROWS, end = min(first + ROWS, rows), count = min(cols, ENOUGH);

    for (int r = first + warp; r < end; r += WARPS) {
        const float *row = in + (size_t)r * cols;
        float base = row[0], sum = 0, squares = 0, low = 0, high = 0;      // about base, for the sake of digits
        walk(row, count, lane, 32, [&](float x) {
            x -= base;
            sum += x, squares += x * x;
            low = fminf(low, x), high = fmaxf(high, x);
        });
        sum = total(sum) / count, squares = total(squares) / count;
        low = -largest(-low), high = largest(high);
        if (lane == 0) {
            mean[r] = base + sum;
            variance[r] = squares - sum * sum;
            reach[r] = fmaxf(high - sum, sum - low);
        }
    }
}
