extern __shared__ float partial[];

inline __global__ void norms(float *out, unsigned short *x, int n)
{
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        sum += x[(size_t)blockIdx.x * n + k];
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = partial[0];
}
