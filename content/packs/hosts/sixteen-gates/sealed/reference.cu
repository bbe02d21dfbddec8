extern "C" __global__ void reference(double *out, const float *in, int part, long long first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < part) {
        double x = in[first + i];
        out[first + i] = x / (1.0 + exp(-x));
    }
}
