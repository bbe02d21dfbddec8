// Next to nothing is written: the roof is the rate at which memory can be read.
extern "C" __global__ void stats(float *mean, float *variance, float *reach, const float *in, int rows, int cols)
{
    // of each row: its mean, the mean of the squared deviations from it, and the largest deviation
}
