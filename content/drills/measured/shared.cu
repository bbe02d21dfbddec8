// Reads of shared memory, for the drills of measured.yaml.

// Lane l reads words l * pitch, l * pitch + 32, ...: the same banks each time, 16 * rounds reads in each thread.
extern "C" __global__ void read_pitched(float *out, int pitch, int rounds)
{
    __shared__ float s[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        s[i] = (float)i;
    __syncthreads();
    volatile const float *mine = s + (threadIdx.x & 31) * pitch;
    float sum[4] = {0, 0, 0, 0};
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum[k & 3] += mine[k * 32];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}
