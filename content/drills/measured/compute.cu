// Arithmetic, empty kernels and resident blocks, for the drills of measured.yaml.

extern "C" __global__ void empty(float *out)
{
}

// Eight chains of multiply-adds that do not wait for each other: 8 * 32 * rounds of them in each thread.
extern "C" __global__ void fma_many(float *out, float a, float b, int rounds)
{
    float x[8];
#pragma unroll
    for (int c = 0; c < 8; c++)
        x[c] = (float)(threadIdx.x + c);
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 32; k++)
#pragma unroll
            for (int c = 0; c < 8; c++)
                x[c] = fmaf(x[c], a, b);
    float sum = 0;
#pragma unroll
    for (int c = 0; c < 8; c++)
        sum += x[c];
    if (sum == 12345.678f) // never, but the compiler cannot know
        out[0] = sum;
}

// One chain, each multiply-add waiting for the one before it: 64 * rounds of them.
extern "C" __global__ void fma_chain(float *out, float a, float b, int rounds)
{
    float x = (float)threadIdx.x;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            x = fmaf(x, a, b);
    if (x == 12345.678f)
        out[0] = x;
}

// Wants far more registers than the compiler is allowed, so that it takes as many as it may.
extern "C" __global__ void hungry(float *out, const float *in, int rounds)
{
    float x[160];
#pragma unroll
    for (int k = 0; k < 160; k++)
        x[k] = in[threadIdx.x + k];
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 160; k++)
            x[k] = fmaf(x[k], x[(k + 61) % 160], x[(k + 7) % 160]);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 160; k++)
        sum += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
