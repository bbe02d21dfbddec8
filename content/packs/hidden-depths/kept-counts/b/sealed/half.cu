/* A code has the counters of all threads side by side; the loop is as it was. */
extern "C" __global__ void count(unsigned *total, const int *codes, int n)
{
    __shared__ unsigned bins[32 * 128];
    long long start = blockIdx.x * 128 + threadIdx.x, step = gridDim.x * 128;
    for (int k = 0; k < 32; k++)
        bins[k * 128 + threadIdx.x] = 0;
    for (int part = 0; part < 2; part++)
        for (long long i = start; 2 * i + part < n; i += step)
            bins[codes[2 * i + part] * 128 + threadIdx.x]++;
    __syncthreads();
    for (int k = threadIdx.x / 32; k < 32; k += 4) {
        unsigned sum = 0;
        for (int t = threadIdx.x % 32; t < 128; t += 32)
            sum += bins[k * 128 + t];
        for (int d = 16; d; d /= 2)
            sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&total[k], sum);
    }
}
