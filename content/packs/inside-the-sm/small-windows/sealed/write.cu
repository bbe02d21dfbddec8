// FRAMES exposures, each pixels floats, one behind the other. The roof is the rate of a read.
extern "C" __global__ void join(float *out, const float *in, int pixels, int frames, float share)
{
    // of the FRAMES values of a pixel the two lowest and the two highest are left out, the others averaged: their sum
    // times share. frames is FRAMES
}
