extern "C" __global__ void reference(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = in[i], b = 0.5 * a, c = 0.25 * a, d = 0;
    for (int k = 0; k < ROUNDS; k++) {
        double e = a;
        a = a * 0.75 + b * 0.2;
        b = b * 0.75 + c * 0.2;
        c = c * 0.75 + d * 0.2;
        d = d * 0.75 + e * 0.2;
    }
    out[i] = in[i] + a + b + c + d;
}

extern "C" __global__ void widen(double *wide, const float *grads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    wide[i] = grads[i];
}
