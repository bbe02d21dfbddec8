/* The truth: a weight a thread, in float64. */
extern "C" __global__ void reference(double *out, const unsigned short *in, int n, int parts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double total = 0;
    for (int p = 0; p < parts; p++)
        total += __uint_as_float((unsigned)in[(size_t)p * n + i] << 16);
    out[i] = total;
}
