// The truth in float64: one thread for each value.
extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sqrt((double)in[i]);
}
