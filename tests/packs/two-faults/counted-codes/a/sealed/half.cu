extern "C" __global__ void count(int *total, const int *codes, int n)
{
    __shared__ unsigned short bins[32 * 256];
    long long start = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int k = 0; k < 32; k++)
        bins[threadIdx.x * 32 + k] = 0;
    for (long long i = start; i < n; i += step)
        bins[threadIdx.x * 32 + codes[i]] += 1;
    for (int k = 0; k < 32; k++)
        atomicAdd(&total[k], bins[threadIdx.x * 32 + k]);
}
