extern "C" __global__ void reference(double *part, const unsigned short *weights, const void *x, int hidden, int rank, int layer, int first)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, wide = hidden / 2;
    if (row >= hidden)
        return;
    const unsigned short *w = weights + ((long long)layer * hidden + row) * wide;
    double sum = 0;
    for (int i = 0; i < wide; i++) {
        long long at = (long long)rank * wide + i;
        double v = first ? (double)((const float *)x)[at] : ((const double *)x)[at];
        sum += (double)__uint_as_float((unsigned)w[i] << 16) * v;
    }
    part[row] = sum;
}
