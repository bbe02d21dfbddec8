// One layer of a card: its half of the columns, for all rows. Each warp has a row.
extern "C" __global__ void half(float *part, const unsigned short *weights, const float *x, int hidden, int rank, int layer)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, wide = hidden / 2;
    const uint4 *w = (const uint4 *)(weights + ((long long)layer * hidden + row) * wide);
    const float *mine = x + (long long)rank * wide;
    float sum = 0;
    for (int i = lane; i < wide / 8; i += 32) {
        uint4 v = w[i];
        unsigned word[4] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; k++) {
            sum += __uint_as_float(word[k] << 16) * mine[8 * i + 2 * k];
            sum += __uint_as_float(word[k] & 0xffff0000u) * mine[8 * i + 2 * k + 1];
        }
    }
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        part[row] = sum;
}

static __device__ void tell(unsigned *flag)
{
    asm volatile("st.release.sys.global.u32 [%0], 1;" :: "l"(flag) : "memory");
}

static __device__ void await(unsigned *flag)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    while (!seen);
    asm volatile("st.relaxed.sys.global.u32 [%0], 0;" :: "l"(flag) : "memory");
}

// Sum of both cards' parts, in one hop: each block tells the other card's block that its part is
// there, waits for the same, and reads the other's over the link. A flag is put down again by the
// one that it was for, so that the next step finds it as this one did.
extern "C" __global__ void both(float *sum, const float *mine, const float *other, unsigned *flags, unsigned *other_flags, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        tell(other_flags + first + blockIdx.x);
        await(flags + first + blockIdx.x);
    }
    __syncthreads();
    sum[i] = mine[i] + __ldcv(other + i);
}
