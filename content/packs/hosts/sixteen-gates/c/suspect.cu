extern "C" __global__ void gate(float *out, const float *in, int part, long long first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int rows = part / 32;
    if (i < part) {
        long long at = first + (long long)(i % 32) * rows + i / 32;
        float x = in[at];
        out[at] = x / (1.0f + __expf(-x));
    }
}
