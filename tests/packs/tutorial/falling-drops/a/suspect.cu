// Falling drops with quadratic drag. Cut out of our spray solver, where this took most of a frame.

constexpr float G = 9.81f;

// One thread a drop: explicit Euler, `steps` steps of `dt` seconds. v' = g - v^2 / 4.
extern "C" __global__ void fall(float *v_out, const float *v_in, float dt, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = v_in[i];
    for (int s = 0; s < steps; s++)
        v += dt * (G - 0.25 * v * v);
    v_out[i] = v;
}
