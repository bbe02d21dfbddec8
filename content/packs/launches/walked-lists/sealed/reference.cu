/* The truth: one sum a thread, in float64. */
extern "C" __global__ void reference(double *out, const int *graph, int nodes, int walks, float keep)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i / 32;
    if (w >= walks)
        return;
    int at = (int)((long long)w * nodes / walks);
    double sum = 0;
    for (int s = 0; s < STEPS; s++) {
        const int *list = graph + (size_t)at * 32;
        sum = sum * keep + (list[i % 32] & 1023);
        at = list[(w + s) % 32] / 32;
    }
    out[i] = sum;
}
