/* The truth: a warp to a row, in float64. */
static __device__ double number(unsigned short bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

extern "C" __global__ void reference(double *out, const unsigned short *in)
{
    const unsigned short *row = in + (size_t)blockIdx.x * COLUMNS;
    double top = number(row[threadIdx.x]), sum = 0;
    for (int c = threadIdx.x; c < COLUMNS; c += 32)
        top = fmax(top, number(row[c]));
    for (int d = 16; d > 0; d /= 2)
        top = fmax(top, __shfl_xor_sync(~0u, top, d));
    for (int c = threadIdx.x; c < COLUMNS; c += 32)
        sum += exp(number(row[c]) - top);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    for (int c = threadIdx.x; c < COLUMNS; c += 32)
        out[(size_t)blockIdx.x * COLUMNS + c] = number(row[c]) - top - log(sum);
}
