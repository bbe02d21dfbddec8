// The truth of a step in float64, one site a thread: first all of the drift, since forces take it from the neighbours. phi and pi keep their types.
extern "C" __global__ void drifted(float *phi, const float *pi, float eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        phi[i] = (float)(phi[i] + (double)eps * pi[i]);
}

extern "C" __global__ void kicked(float *pi, const float *phi, float eps, float kappa, float lambda, int lx, int ly, int lz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lx * ly * lz)
        return;
    int x = i % lx, y = i / lx % ly, z = i / (lx * ly);
    double sum = 0, p = phi[i];
    for (int d = -1; d <= 1; d += 2) {
        sum += phi[(z * ly + y) * lx + (x + d + lx) % lx];
        sum += phi[(z * ly + (y + d + ly) % ly) * lx + x];
        sum += phi[((z + d + lz) % lz * ly + y) * lx + x];
    }
    pi[i] = (float)(pi[i] + eps * (2 * (double)kappa * sum - 2 * p - 4 * (double)lambda * p * (p * p - 1)));
}
