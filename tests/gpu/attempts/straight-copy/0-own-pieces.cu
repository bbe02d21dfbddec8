// walls: 0
// launch 1: grid ceildiv(n, 4096); block 256
// Each thread walks through sixteen floats of its own.
extern "C" __global__ void copy(float *out, const float *in, long long n)
{
    long long first = 16 * (blockIdx.x * (long long)blockDim.x + threadIdx.x);
    for (long long i = first; i < min(first + 16, n); i++)
        out[i] = in[i];
}
