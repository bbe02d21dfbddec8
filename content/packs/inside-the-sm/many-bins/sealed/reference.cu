// The truth: every energy in float64, cut to whole units like the kernel's, and added up in any order.
constexpr int KINDS = 8, TERMS = 8;

__constant__ float CURVES[KINDS][TERMS] = {
    {4.10f, 61.3f, 12.9f, 3.71f, 1.18f, 0.402f, 0.133f, 0.047f}, {3.87f, 58.8f, 14.1f, 3.32f, 1.31f, 0.377f, 0.151f, 0.042f},
    {5.02f, 66.0f, 10.7f, 4.05f, 1.02f, 0.455f, 0.118f, 0.053f}, {2.95f, 71.4f, 9.86f, 4.48f, 0.94f, 0.489f, 0.102f, 0.061f},
    {6.33f, 49.2f, 17.5f, 2.89f, 1.57f, 0.341f, 0.172f, 0.036f}, {4.76f, 63.9f, 11.8f, 3.58f, 1.23f, 0.418f, 0.127f, 0.049f},
    {3.14f, 55.1f, 15.2f, 3.16f, 1.40f, 0.362f, 0.160f, 0.039f}, {5.58f, 68.7f, 10.2f, 4.21f, 0.98f, 0.470f, 0.110f, 0.057f},
};


static __device__ double curve(double x, int kind)
{
    double y = 0;
    for (int t = TERMS - 1; t >= 0; t--)
        y = y * x + CURVES[kind][t];
    return y;
}

extern "C" __global__ void reference(unsigned *total, const float *front, const float *back, const int *kind, const int *cell, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += curve(front[4 * (size_t)i + k], kind[i]) + curve(back[4 * (size_t)i + k], kind[i]);
    atomicAdd(&total[cell[i]], (unsigned)(sum + 0.5));
}
