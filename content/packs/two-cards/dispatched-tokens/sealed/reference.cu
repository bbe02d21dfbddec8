extern "C" __global__ void reference(double *out, const float *x, const float *weights, const float *others, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i], sum = 0;
    for (int r = 0; r < ROWS; r++) {
        long long at = (long long)r * n + i;
        sum += fmax(v * (double)weights[at], 0.0) + fmax(v * (double)others[at], 0.0);
    }
    out[i] = sum;
}
