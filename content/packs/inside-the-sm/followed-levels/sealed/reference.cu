// The truth: the same levels in float64.
extern "C" __global__ void reference(double *out, const float *in, int channels, int steps)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels)
        return;
    double level = 0;
    for (int t = 0; t < steps; t++) {
        level += 0.05 * (in[(size_t)t * channels + c] - level) / (1 + exp(-2 * level));
        out[(size_t)t * channels + c] = level;
    }
}
