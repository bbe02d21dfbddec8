extern "C" __global__ void reference(double *top, const float *keys, const float *query, int n, int part)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    double most = -1e300;
    for (int k = 0; k < QUERIES; k++) {
        double sum = 0;
        for (int d = 0; d < 64; d++)
            sum += (double)keys[(long long)d * n + at] * (double)query[d * QUERIES + k];
        most = fmax(most, sum);
    }
    top[(long long)part * n + at] = most;
}
