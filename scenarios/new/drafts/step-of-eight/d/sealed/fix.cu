// The tempting change: two loads fewer by a shuffle. It costs as much, since neighbours come from L1.
extern "C" __global__ void smooth(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float own = in[i < n ? i : n - 1];
    float left = __shfl_up_sync(~0u, own, 1), right = __shfl_down_sync(~0u, own, 1);
    if (lane == 0 || i == 0)
        left = in[i > 0 ? min(i, n) - 1 : n - 1];
    if (lane == 31 || i >= n - 1)
        right = in[i < n - 1 ? i + 1 : 0];
    if (i < n)
        out[i] = 0.5f * own + 0.25f * (left + right);
}
