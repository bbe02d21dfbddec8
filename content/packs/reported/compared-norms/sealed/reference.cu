// The same in double precision: a thread for each row.
#include "warpdrill.h"

extern "C" __global__ void reference(double *out, const float *in, const float *weight, int rows)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const size_t row = (size_t)r * 1024;
    double sum = 0;
    for (int c = 0; c < 1024; c++)
        sum += (double)in[row + c] * in[row + c];
    const double scale = 1 / sqrt(sum / 1024 + (double)1e-5f);
    for (int c = 0; c < 1024; c++)
        out[row + c] = in[row + c] * scale * weight[c];
}
