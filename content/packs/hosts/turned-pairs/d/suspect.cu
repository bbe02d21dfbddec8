extern "C" __global__ void turn(float *out, const float *in, const float *cosines, const float *sines, long long rows)
{
    for (long long p = blockIdx.x * (long long)blockDim.x + threadIdx.x; p < 64 * rows; p += (long long)gridDim.x * blockDim.x) {
        long long row = p / 64;
        int j = p % 64;
        int angle = (int)(row % LEN) * 64 + j;
        float a = in[row * 128 + j], b = in[row * 128 + j + 64], c = cosines[angle], s = sines[angle];
        out[row * 128 + j] = a * c - b * s;
        out[row * 128 + j + 64] = b * c + a * s;
    }
}
