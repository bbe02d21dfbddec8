extern "C" __global__ void reference(double *out, const float *in, const float *cosines, const float *sines, long long rows)
{
    long long p = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (p < 64 * rows) {
        long long at = p / 64 * 128 + p % 64, angle = p / 64 % LEN * 64 + p % 64;
        double a = in[at], b = in[at + 64], c = cosines[angle], s = sines[angle];
        out[at] = a * c - b * s;
        out[at + 64] = b * c + a * s;
    }
}
