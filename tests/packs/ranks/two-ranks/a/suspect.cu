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

extern "C" __global__ void burn(float *out, int n)
{
    float v = threadIdx.x;
    for (int i = 0; i < 1 << 17; i++)
        v = v * 1.0001f + 0.5f;
    if (v == 7)
        out[threadIdx.x % n] = v;
}
