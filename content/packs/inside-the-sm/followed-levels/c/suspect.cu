// Levels of channels, each of which follows its samples: the higher it stands, the faster. A block has 32 channels; samples and levels
// of one time lie side by side, `channels` of them. Warp 0 works out a tile of levels while the others load the next and store the last.
constexpr int TILE = 64;                        // times that lie in shared memory together
constexpr int ASKED = 22;                       // times that a warp asks for before it stores the first
constexpr int NEAR = 16;                        // samples that lie in registers before they are used
constexpr float PACE = 0.05f, UNIT = 1;                 // of a level inside of the loop

static __device__ float curve(float level)
{
    return 1 / (1 + expf(-2 * level));
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
