extern "C" __global__ void count(int *total, const int *codes, int n)
{
    __shared__ unsigned short bins[32 * 256];
    long long start = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int k = 0; k < 32; k++)
        bins[k * 256 + threadIdx.x] = 0;
    for (int part = 0; part < 8; part++)
        for (long long i = start; 8 * i + part < n; i += step)
            bins[codes[8 * i + part] * 256 + threadIdx.x] += 1;
    for (int k = 0; k < 32; k++)
        atomicAdd(&total[k], bins[k * 256 + threadIdx.x]);
}
