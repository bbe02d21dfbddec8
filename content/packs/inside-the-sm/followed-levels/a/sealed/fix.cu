// The change that tempts: half as many samples asked for ahead, for the sake of registers. Nobody is waiting for registers, and samples come too late.
// Checked against reference.cu.
constexpr int AHEAD = 32;                       // samples of a channel that are asked for before the first is used
constexpr float PACE = 0.05f, UNIT = -2.8853901f;       // of a level inside of the loop: exp(-2 x) is 2 ^ (UNIT x)

static __device__ float power(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ float inverse(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

extern "C" __global__ void __launch_bounds__(32) follow(float *out, const float *in, int channels, int steps)
{
    int c = blockIdx.x * 32 + threadIdx.x;
    if (c >= channels)
        return;

    float level = 0, sample[AHEAD];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        sample[i] = in[(size_t)min(i, steps - 1) * channels + c];
    for (int first = 0; first < steps; first += AHEAD) {
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            int t = first + i;
            level += PACE * (UNIT * sample[i] - level) * inverse(1 + power(level));
            if (t < steps)
                out[(size_t)t * channels + c] = level * (1 / UNIT);
            sample[i] = in[(size_t)min(t + AHEAD, steps - 1) * channels + c];
        }
    }
}
