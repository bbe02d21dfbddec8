extern "C" __global__ void reference(int *total, const int *codes, int n)
{
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&total[codes[i]], 1);
}
