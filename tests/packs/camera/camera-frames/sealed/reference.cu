// The truth in float64, one thread for each value of the output.
#include "warpdrill.h"
extern "C" __global__ void reference(double *planes, const unsigned char *frames, int width, int height, int pitch, float scale,
                                     float shift, long long values)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= values)
        return;
    long long x = i % width, y = i / width % height;
    long long c = i / width / height % 3, frame = i / width / height / 3;
    planes[i] = frames[(frame * height + y) * pitch + 3 * x + c] * (double)scale - shift;
}
