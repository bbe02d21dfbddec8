// The sums of blocks, then each block adds up those before it and goes through its own part.
constexpr int THREADS = 256, PARTS = 1024;

static __device__ long long part(long long n) { return (n + PARTS - 1) / PARTS; }

extern "C" __global__ void prepare(long long *state, const int *in, long long n)
{
    __shared__ long long sums[THREADS];
    long long first = blockIdx.x * part(n), sum = 0;
    for (long long i = threadIdx.x; i < part(n) && first + i < n; i += THREADS)
        sum += in[first + i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int t = 1; t < THREADS; t++)
            sum += sums[t];
        state[blockIdx.x] = sum;
    }
}

extern "C" __global__ void scan(double *out, const int *in, long long *state, long long n)
{
    __shared__ long long sums[THREADS];
    long long first = blockIdx.x * part(n), before = 0;
    for (int b = 0; b < blockIdx.x; b++)
        before += state[b];
    for (long long at = 0; at < part(n); at += THREADS) {
        long long i = first + at + threadIdx.x;
        bool mine = at + threadIdx.x < part(n) && i < n;
        long long sum = 0;
        __syncthreads();
        sums[threadIdx.x] = mine ? in[i] : 0;
        __syncthreads();
        for (int t = 0; t <= threadIdx.x; t++)
            sum += sums[t];
        if (mine)
            out[i] = before + sum;
        __syncthreads();
        sums[threadIdx.x] = sum;
        __syncthreads();
        before += sums[THREADS - 1];
    }
}
