// The truth: mean, then deviations from it, in float64. A warp owns a row.
static __device__ double total(double v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void reference(double *mean, double *variance, double *reach, const float *in, int rows, int cols)
{
    int r = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *row = in + (size_t)r * cols;
    double sum = 0, squares = 0, far = 0;
    if (r >= rows)
        return;
    for (int c = lane; c < cols; c += 32)
        sum += row[c];
    double m = total(sum) / cols;
    for (int c = lane; c < cols; c += 32) {
        double d = row[c] - m;
        squares += d * d;
        far = fmax(far, fabs(d));
    }
    squares = total(squares);
    for (int d = 16; d > 0; d /= 2)
        far = fmax(far, __shfl_xor_sync(~0u, far, d));
    if (lane == 0) {
        mean[r] = m;
        variance[r] = squares / cols;
        reach[r] = far;
    }
}
