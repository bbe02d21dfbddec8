extern "C" __global__ void twice(float *out, const float *in, int n)
{
    __shared__ volatile int here[256];
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = 2 * in[i];
    here[threadIdx.x] = threadIdx.x % 2;
    while (!here[threadIdx.x ^ 2])
        continue;
}
