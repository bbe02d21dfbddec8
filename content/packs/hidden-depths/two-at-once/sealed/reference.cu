// The truth of a row in float64: the sum of one matrix over the largest magnitude of the other, free of the factor.
extern "C" __global__ void truth(double *out, const float *acts, const float *grads, int rows, int cols)
{
    __shared__ double sums[256], tops[256];
    double sum = 0, top = 0;
    size_t from = (size_t)blockIdx.x * cols;
    for (int k = threadIdx.x; k < cols; k += 256) {
        sum += acts[from + k];
        top = fmax(top, fabs((double)grads[from + k]) / 64);
    }
    sums[threadIdx.x] = sum;
    tops[threadIdx.x] = top;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) {
            sums[threadIdx.x] += sums[threadIdx.x + d];
            tops[threadIdx.x] = fmax(tops[threadIdx.x], tops[threadIdx.x + d]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = tops[0] > 0 ? sums[0] / tops[0] : 0;
}
