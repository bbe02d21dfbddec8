/* An element a thread. Not tuned: an example of the format. */
extern "C" __global__ void twice(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}
