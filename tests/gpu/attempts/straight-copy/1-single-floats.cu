// walls: 1
// launch 1: grid ceildiv(n, 256); block 256
extern "C" __global__ void copy(float *out, const float *in, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
