extern "C" __global__ void scale(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

extern "C" __global__ void add(float *out, const float *a, const float *b, int n)
{
    int blocks = n / blockDim.x, i = threadIdx.x * blocks + blockIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}
