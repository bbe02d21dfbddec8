// One layer of a card: its half of the columns, for all rows. Each warp has a row.
extern "C" __global__ void half(float *part, const unsigned short *weights, const float *x, int hidden, int rank, int layer)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, wide = hidden / 2;
    const uint4 *w = (const uint4 *)(weights + ((long long)layer * hidden + row) * wide);
    const float *mine = x + (long long)rank * wide;
    float sum = 0;
    for (int i = lane; i < wide / 8; i += 32) {
        uint4 v = w[i];
        unsigned word[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; k++) {
            sum += __uint_as_float(word[k] << 16) * mine[8 * i + 2 * k];
            sum += __uint_as_float(word[k] & 0xffff0000u) * mine[8 * i + 2 * k + 1];
        }
    }
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        part[row] = sum;
}
