/* The truth: a body a thread, in float64. */
extern "C" __global__ void reference(double *out, const float4 *bodies, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 own = bodies[i];
    double sum = 0;
    for (int j = 0; j < i; j++) {
        float4 b = bodies[j];
        double x = (double)b.x - own.x, y = (double)b.y - own.y, z = (double)b.z - own.z;
        sum += b.w / sqrt(x * x + y * y + z * z + soft);
    }
    out[i] = -own.w * sum;
}
