extern "C" __global__ void reference(double *out, const unsigned short *mine, const unsigned short *other, const float *acts, int part, int layer, int rank)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, each = part / 2;
    if (i >= each)
        return;
    for (int half = 0; half < 2; half++) {
        const unsigned short *w = (half == rank ? mine : other) + 1;
        double v = __uint_as_float((unsigned)w[i] << 16), sum = 0;
        long long at = (long long)half * each + i;
        for (int t = 0; t < TOKENS; t++)
            sum += fmax(v * (double)acts[(long long)t * part + at], 0.0);
        out[(long long)layer * part + at] = sum;
    }
}
