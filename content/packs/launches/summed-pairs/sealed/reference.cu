/* The truth: a body a thread, in float64. */
extern "C" __global__ void reference(double *out, const float2 *bodies, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 own = bodies[i];
    double sum = 0;
    for (int j = 0; j < i; j++) {
        float2 b = bodies[j];
        double x = (double)b.x - own.x, y = (double)b.y - own.y;
        sum += 1 / sqrt(x * x + y * y + soft) - 1 / sqrt(x * x + y * y + 1);
    }
    out[i] = sum;
}
