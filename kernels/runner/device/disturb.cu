// What a kernel under test is disturbed with.
//
// wd_ruin_shared  fills a block's dynamic shared memory with zeros, NaN, or random finite floats of any size and sign. A kernel
//                 that reads what it never wrote finds them in place of an earlier kernel's right values.
//                 Each block stays STAY cycles, so that a grid of as many blocks as the GPU holds at once
//                 reaches every SM before any SM gets its second.
// wd_noise        keeps blocks resident for a random time of at most `most_ns` each, on another stream, so
//                 that the blocks of the kernel under test find free SMs in another order each time

enum { ZEROS, NANS, RANDOM };
enum { STAY = 20000 };

static __device__ unsigned mix(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

extern "C" __global__ void wd_ruin_shared(unsigned words, int how)
{
    extern __shared__ volatile unsigned shared[];
    long long start = clock64();
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
        shared[i] = how == ZEROS ? 0 : how == NANS ? 0xffffffffu : mix(i) & 0xff7fffffu; // any finite float
    while (clock64() - start < STAY)
        ;
}

static __device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

extern "C" __global__ void wd_noise(unsigned seed, unsigned most_ns)
{
    unsigned long long start = nanoseconds(), stay = mix(seed + 0x9e3779b9u * (blockIdx.x + 1)) % most_ns;
    while (nanoseconds() - start < stay)
        ;
}
