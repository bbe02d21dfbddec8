// The truth: one particle a thread, in float64.
extern "C" __global__ void reference(double *out, const float *in, const float *table, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double phase = in[2 * i], momentum = in[2 * i + 1];
    for (int turn = 0; turn < turns; turn++) {
        for (int j = 0; j < STATIONS; j++) {
            momentum -= table[2 * j] * sin(phase);
            phase += table[2 * j + 1] * momentum;
        }
    }
    out[2 * i] = phase;
    out[2 * i + 1] = momentum;
}
