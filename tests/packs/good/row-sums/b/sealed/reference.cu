extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(size_t)row * n + k];
    out[row] = sum;
}
