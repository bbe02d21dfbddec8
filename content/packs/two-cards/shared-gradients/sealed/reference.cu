extern "C" __global__ void reference(double *g, const float *acts, const float *err, int part, int layer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= part)
        return;
    double sum = 0;
    for (int t = 0; t < TOKENS; t++)
        sum += (double)acts[(long long)t * part + i] * (double)err[layer * TOKENS + t];
    g[(long long)layer * part + i] = 0.5 * sum;
}
