extern "C" __global__ void twice(float *out, const float *in, int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = 2 * in[i];
}
