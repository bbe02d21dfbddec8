extern "C" __global__ void reference(double *out, const float *x, const float *gate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (double)x[i] * gate[i] / (1 + exp(-(double)gate[i]));
}
