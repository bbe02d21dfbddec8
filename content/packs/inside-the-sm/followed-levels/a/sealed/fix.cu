// The change that tempts: larger tiles, so that warps meet at fewer barriers. It wins 5 % on an H200 and 4 % on an H100; the chain is as it was.
// Checked against reference.cu.
constexpr int TILE = 96;                        // times that lie in shared memory together
constexpr int ASKED = 32;                       // times that a warp asks for before it stores the first
constexpr int NEAR = 16;                        // samples that lie in registers before they are used
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

static __device__ float curve(float level)
{
    return inverse(1 + power(level));
}

static __device__ float chain(float level, const float (*from)[32], float (*to)[32])
{
    int lane = threadIdx.x % 32;
    float sample[NEAR];
#pragma unroll
    for (int i = 0; i < NEAR; i++)
        sample[i] = from[i][lane];
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        float want = sample[i % NEAR];
        if (i + NEAR < TILE)
            sample[i % NEAR] = from[i + NEAR][lane];
        level = fmaf(fmaf(-PACE, level, want), curve(level), level);
        to[i][lane] = level;
    }
    return level;
}

static __device__ void load(float (*to)[32], const float *in, int channels, int steps, int begin)
{
    int lane = threadIdx.x % 32, c = min((int)blockIdx.x * 32 + lane, channels - 1);
#pragma unroll 1
    for (int first = threadIdx.x / 32 - 1; first < TILE; first += 3 * ASKED) {
        float sample[ASKED];
#pragma unroll
        for (int i = 0; i < ASKED; i++)
            sample[i] = in[(size_t)min(begin + first + 3 * i, steps - 1) * channels + c];
#pragma unroll
        for (int i = 0; i < ASKED; i++)
            if (first + 3 * i < TILE)
                to[first + 3 * i][lane] = PACE * UNIT * sample[i];
    }
}

static __device__ void store(float *out, const float (*from)[32], int channels, int steps, int begin)
{
    int lane = threadIdx.x % 32, c = blockIdx.x * 32 + lane;
    int first = threadIdx.x / 32 - 1, end = c < channels ? min(TILE, steps - begin) : 0;
    float level[TILE / 3 + 1];
#pragma unroll
    for (int i = 0; i <= TILE / 3; i++)
        level[i] = from[min(first + 3 * i, TILE - 1)][lane] * (1 / UNIT);
#pragma unroll
    for (int i = 0; i <= TILE / 3; i++)
        if (first + 3 * i < end)
            out[(size_t)(begin + first + 3 * i) * channels + c] = level[i];
}

extern "C" __global__ void __launch_bounds__(128) follow(float *out, const float *in, int channels, int steps)
{
    __shared__ float samples[2][TILE][32], levels[2][TILE][32];
    int tiles = (steps + TILE - 1) / TILE;
    float level = 0;

    for (int k = -1; k <= tiles; k++) {
        if (threadIdx.x >= 32) {
            if (k + 1 < tiles)
                load(samples[(k + 1) & 1], in, channels, steps, (k + 1) * TILE);
            if (k >= 1)
                store(out, levels[(k - 1) & 1], channels, steps, (k - 1) * TILE);
        } else if (k >= 0 && k < tiles)
            level = chain(level, samples[k & 1], levels[k & 1]);
        __syncthreads();
    }
}
