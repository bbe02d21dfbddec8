/* A block for each group, in double precision: the mean first, then the variance around it. */
static __device__ double sum_of(double mine)
{
    __shared__ double part[1024];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = 512; half; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    double sum = part[0];
    __syncthreads();
    return sum;
}

extern "C" __global__ void reference(double *out, const float *x, int size)
{
    const float *from = x + (size_t)blockIdx.x * size;
    double sum = 0, squares = 0;
    for (int i = threadIdx.x; i < size; i += 1024)
        sum += from[i];
    double mean = sum_of(sum) / size;
    for (int i = threadIdx.x; i < size; i += 1024)
        squares += (from[i] - mean) * (from[i] - mean);
    double scale = 1 / sqrt(sum_of(squares) / size + 1e-5);
    for (int i = threadIdx.x; i < size; i += 1024)
        out[(size_t)blockIdx.x * size + i] = (from[i] - mean) * scale;
}
