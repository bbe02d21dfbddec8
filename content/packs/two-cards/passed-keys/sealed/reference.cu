extern "C" __global__ void reference(double *best, const float *keys, const float *query, int n, int part)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    double most = -INFINITY;
    for (int k = 0; k < QUERIES; k++) {
        double sum = 0;
        for (int d = 0; d < 64; d++)
            sum += (double)keys[(long long)d * n + at] * (double)query[d * QUERIES + k];
        most = fmax(most, sum);
    }
    best[(long long)part * n + at] = most;
}
