// The truth: every sum of products, in float64.
extern "C" __global__ void reference(double *y, const float *w, const float *x, int k, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    double sum[4] = {};
    if (column >= n)
        return;
#pragma unroll 4
    for (int r = 0; r < k; r++) {
        double weight = w[(size_t)r * n + column];
#pragma unroll
        for (int b = 0; b < 4; b++)
            sum[b] += weight * x[4 * r + b];
    }
    for (int b = 0; b < 4; b++)
        y[(size_t)b * n + column] = sum[b];
}
