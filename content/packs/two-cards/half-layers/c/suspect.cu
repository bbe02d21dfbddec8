// One layer of a card: its half of the columns, for all rows. Each warp has a row.
extern "C" __global__ void half(float *part, const unsigned short *weights, const float *x, int hidden, int rank, int layer)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, wide = hidden / 2;
    const unsigned short *w = weights + ((long long)layer * hidden + row) * wide;
    const float *mine = x + (long long)rank * wide;
    int each = wide / 32;
    float sum = 0;
    for (int i = lane * each; i < (lane + 1) * each; i++)
        sum += __uint_as_float((unsigned)w[i] << 16) * mine[i];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        part[row] = sum;
}
