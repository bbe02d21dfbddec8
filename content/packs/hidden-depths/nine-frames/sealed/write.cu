// A value is read once and a result written once at best: the roof is a copy of the stack.
extern "C" __global__ void smooth(float4 *out, const float4 *in, const float *taps, int n, int frames)
{
    // frames of n groups of four pixels; result t of a pixel: nine frames around t, each with its tap;
    // the first and the last frame stand in for those beyond
}
