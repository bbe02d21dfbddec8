// The truth of a token in float64: a score for each key, weights by their largest, values by weights. out is double.
extern "C" __global__ void score(double *exact, const float *keys, const float *query, int len)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y;
    if (p >= len)
        return;
    double sum = 0;
    for (int c = 0; c < 128; c++)
        sum += (double)keys[((size_t)head * len + p) * 128 + c] * query[head * 128 + c];
    exact[(size_t)head * len + p] = sum;
}

extern "C" __global__ void largest(float *totals, const double *exact, int len)
{
    __shared__ double each[1024];
    double top = exact[(size_t)blockIdx.x * len];
    for (int p = threadIdx.x; p < len; p += 1024)
        top = fmax(top, exact[(size_t)blockIdx.x * len + p]);
    each[threadIdx.x] = top;
    __syncthreads();
    for (int k = 512; k > 0; k /= 2) {
        if (threadIdx.x < k)
            each[threadIdx.x] = fmax(each[threadIdx.x], each[threadIdx.x + k]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        totals[blockIdx.x] = (float)each[0];
}

// A block takes a number of a head. What is subtracted from every score need not be exact, since it cancels out.
extern "C" __global__ void mixed(double *out, const double *exact, const float *totals, const float *values, int len)
{
    __shared__ double above[256], below[256];
    int head = blockIdx.x / 128, c = blockIdx.x % 128;
    double sum = 0, total = 0;
    for (int p = threadIdx.x; p < len; p += 256) {
        double e = exp(exact[(size_t)head * len + p] - totals[head]);
        sum += e * values[((size_t)head * len + p) * 128 + c];
        total += e;
    }
    above[threadIdx.x] = sum;
    below[threadIdx.x] = total;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k) {
            above[threadIdx.x] += above[threadIdx.x + k];
            below[threadIdx.x] += below[threadIdx.x + k];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = above[0] / below[0];
}
