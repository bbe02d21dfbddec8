extern "C" __global__ void reference(float *total, const float *x, int rows, int cols)
{
    int at = blockIdx.x;
    __shared__ double part[256];
    double sum = 0;
    for (int row = threadIdx.x; row < rows; row += 256)
        sum += x[(size_t)row * cols + at];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        total[at] += (float)part[0];
}
