extern "C" __global__ void smooth(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = in[i > 0 ? i - 1 : n - 1], right = in[i < n - 1 ? i + 1 : 0];
    out[i] = 0.5f * in[i] + 0.25f * (left + right);
}
