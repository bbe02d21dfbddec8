extern "C" __global__ void sums(float *out, const float *in, int n, long long all)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || (long long)row * n >= all)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[(size_t)row * n + k];
    out[row] = sum;
}
