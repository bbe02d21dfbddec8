// walls: 2
// launch 1: grid ceildiv(n, 1024); block 256
// The best without its hints that a line is used once.
extern "C" __global__ void __launch_bounds__(256) copy(float *out, const float *in, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    bool apart = ((unsigned long long)out | (unsigned long long)in) % 16;
    if (!apart && i < n / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    else
        for (long long k = 4 * i, end = min(k + 4, n); k < end; k++)
            out[k] = in[k];
}
