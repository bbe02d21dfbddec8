// Values on their way to rest: four of them pull at each other and are damped.
extern "C" __global__ void relax(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float a = in[i], b = 0.5f * a, c = 0.25f * a, d = 0;
        for (int k = 0; k < ROUNDS; k++) {
            float e = a;
            a = a * 0.75f + b * 0.2f;
            b = b * 0.75f + c * 0.2f;
            c = c * 0.75f + d * 0.2f;
            d = d * 0.75f + e * 0.2f;
        }
        out[i] = in[i] + a + b + c + d;
    }
}
