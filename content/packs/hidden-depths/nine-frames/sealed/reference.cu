// The truth: nine products for every result, in float64. Threads side by side take pixels side by side, and each walks along time.
extern "C" __global__ void reference(double *out, const float *in, const float *taps, int pixels, int frames)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int p = first; p < pixels; p += gridDim.x * blockDim.x)
        for (int t = 0; t < frames; t++) {
            double sum = 0;
            for (int j = 0; j < 9; j++)
                sum += (double)taps[j] * in[(size_t)min(max(t + j - 4, 0), frames - 1) * pixels + p];
            out[(size_t)t * pixels + p] = sum;
        }
}
