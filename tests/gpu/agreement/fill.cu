// Random floats in [-1, 1), as the runner's inputs are: zeros would draw less power.
extern "C" __global__ void fill(float *out, int n)
{
    size_t step = gridDim.x * (size_t)blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)n * n; i += step) {
        unsigned h = (unsigned)i * 2654435761u;
        h = (h ^ (h >> 16)) * 0x7feb352du;
        h = (h ^ (h >> 15)) * 0x846ca68bu;
        out[i] = (float)(h >> 8) * (2.0f / 16777216) - 1;
    }
}
