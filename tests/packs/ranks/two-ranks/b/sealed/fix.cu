extern "C" __global__ void scale(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

extern "C" __global__ void copy(float *out, const float *in, int rank, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && rank >= 0)
        out[i] = in[i];
}

