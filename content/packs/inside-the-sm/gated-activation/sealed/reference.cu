// The truth: every element, in float64, from the bfloat16 values as they are.
static __device__ double widen(unsigned short v)
{
    return __uint_as_float((unsigned)v << 16);
}

extern "C" __global__ void reference(double *out, const unsigned short *in, const unsigned short *bias, const unsigned short *gate, int tokens,
                                     int channels)
{
    size_t row = blockIdx.x, item = row / tokens;
    for (int c = threadIdx.x; c < channels; c += blockDim.x) {
        double x = widen(in[row * channels + c]) + widen(bias[c]);
        if (ACTIVATION == 1)
            x = 0.5 * x * (1 + tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
        out[row * channels + c] = x * widen(gate[item * channels + c]);
    }
}
