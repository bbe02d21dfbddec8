// A copy of x in time, at best.
extern "C" __global__ void gated(unsigned *out, const unsigned *in, const unsigned *bias, const unsigned *gate, int tokens,
                                 int channels)
{
    // y = GELU(x + bias) * gate in bfloat16, two channels to a word; a bias for each channel, a gate for each item and
    // channel; ACTIVATION 1 is GELU by tanh, 0 is none
}
