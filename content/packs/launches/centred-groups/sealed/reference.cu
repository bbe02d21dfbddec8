// The same in double precision: a thread for each column of a group.
#include "warpdrill.h"

extern "C" __global__ void reference(double *out, const float *in, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * 256, end = min(first + 256, rows);
    if (col >= cols)
        return;
    double sum = 0;
    for (int r = first; r < end; r++)
        sum += in[(size_t)r * cols + col];
    const double mean = sum / (end - first);
    for (int r = first; r < end; r++)
        out[(size_t)r * cols + col] = in[(size_t)r * cols + col] - mean;
}
