extern "C" __global__ void reference(double *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = (double)a[i] + 3.0 * b[i];
}
