// What stands around a timed kernel. No headers: NVRTC gets this file alone.
//
// wd_empty   nothing, to measure what a launch costs
// wd_spin    holds the stream until the host writes flag[0], so that launch overhead stays outside
//            the events; gives up by itself after limit_ns and then says so in flag[1]
// wd_clock   each SM stores its (nanoseconds, cycles) pair; the pairs of one SM before and after a
//            kernel give the clock that the kernel ran at. Host: one small block per SM.
// wd_flush   reads a buffer of twice L2. Reading, not writing: a written flush leaves L2 full of
//            dirty lines, whose write-back would be charged to the next kernel (50 MB at 4.8 TB/s: 10 us).

extern "C" __global__ void wd_empty() {}

static __device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

extern "C" __global__ void wd_spin(volatile unsigned *flag, unsigned long long limit_ns)
{
    unsigned long long start = nanoseconds();
    while (flag[0] == 0) {
        if (nanoseconds() - start > limit_ns) {
            flag[1] = 1;
            __threadfence_system();
            return;
        }
    }
}

extern "C" __global__ void wd_clock(unsigned long long *out, unsigned sms)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0 && sm < sms) {
        out[2 * sm] = nanoseconds();
        out[2 * sm + 1] = clock64();
    }
}

extern "C" __global__ void wd_flush(const uint4 *buffer, unsigned long long n, unsigned *sink)
{
    unsigned sum = 0;
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += step) {
        uint4 v = buffer[i];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x5eed5eedu) // keeps the loads alive; whether it happens does not matter
        *sink = sum;
}
