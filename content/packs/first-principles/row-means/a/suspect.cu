// Mean, variance and largest deviation from the mean of every row of a matrix. A block owns ROWS rows.
constexpr int THREADS = 256;
constexpr int ROWS = THREADS;
constexpr int BATCH = 32;                       // elements that a thread loads before it takes the first

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

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    stats(float *mean, float *variance, float *reach, const float *in, int rows, int cols)
{
    int first = blockIdx.x * ROWS, end = min(first + ROWS, rows);

    for (int r = first + threadIdx.x; r < end; r += THREADS) {
        const float *row = in + (size_t)r * cols;
        float base = row[0], sum = 0, squares = 0, low = 0, high = 0;      // about base, for the sake of digits
        walk(row, cols, 0, 1, [&](float x) {
            x -= base;
            sum += x, squares += x * x;
            low = fminf(low, x), high = fmaxf(high, x);
        });
        sum /= cols, squares /= cols;
        mean[r] = base + sum;
        variance[r] = squares - sum * sum;
        reach[r] = fmaxf(high - sum, sum - low);
    }
}
