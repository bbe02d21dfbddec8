extern "C" __global__ void reference(unsigned *total, const int *codes, int n)
{
    long long step = gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&total[codes[i]], 1u);
}
