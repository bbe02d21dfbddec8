// All of it in float: one letter. Each step is a multiplication and two multiply-adds: 3 * 64 * n / (128 lanes * multiprocessors * clock)
// is 0.36 ms for 63 million drops on an H200. Measured: 0.50 ms, with what the loop itself takes. Checked against reference.cu, 1e-4.
constexpr float G = 9.81f;

// One thread a drop: explicit Euler, `steps` steps of `dt` seconds. v' = g - v^2 / 4.
extern "C" __global__ void fall(float *v_out, const float *v_in, float dt, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = v_in[i];
    for (int s = 0; s < steps; s++)
        v += dt * (G - 0.25f * v * v);
    v_out[i] = v;
}
