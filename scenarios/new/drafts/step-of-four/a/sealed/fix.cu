// All of it in one kernel: 12 bytes for each element in the place of 36.
extern "C" __global__ void scale_and_add(float *out, const float *x, const float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * x[i] + (2.0f * y[i] + 1.0f);
}
