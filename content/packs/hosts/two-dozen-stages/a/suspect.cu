extern "C" __global__ void stage(float *out, const float *in, const float *gain, const float *shift, int n, long long first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = fmaf(in[i], gain[first + i], shift[first + i]);
}

extern "C" __global__ void carry(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
