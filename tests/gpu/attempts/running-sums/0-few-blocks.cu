// walls: 0
// launch 1: grid 32; block 256
// launch 2: grid 32; block 256
// A few blocks own a part each and go through it twice, so that most SMs stand still.
constexpr int THREADS = 256, PARTS = 32;

static __device__ long long part(long long n) { return (n + PARTS - 1) / PARTS; }

static __device__ int up_to(int mine, int *sums)
{
    for (int d = 1; d < THREADS; d *= 2) {
        sums[threadIdx.x] = mine;
        __syncthreads();
        mine += threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
        __syncthreads();
    }
    return mine;
}

extern "C" __global__ void prepare(long long *state, const int *in, long long n)
{
    __shared__ int sums[THREADS];
    long long first = blockIdx.x * part(n);
    int sum = 0;
    for (long long i = threadIdx.x; i < part(n) && first + i < n; i += THREADS)
        sum += in[first + i];
    sum = up_to(sum, sums);
    if (threadIdx.x == THREADS - 1)
        state[blockIdx.x] = sum;
}

extern "C" __global__ void scan(int *out, const int *in, long long *state, long long n)
{
    __shared__ int sums[THREADS], last;
    long long first = blockIdx.x * part(n);
    int before = 0;
    for (int b = 0; b < blockIdx.x; b++)
        before += (int)state[b];
    for (long long at = 0; at < part(n); at += THREADS) {
        long long i = first + at + threadIdx.x;
        bool mine = at + threadIdx.x < part(n) && i < n;
        int sum = up_to(mine ? in[i] : 0, sums);
        if (mine)
            out[i] = before + sum;
        if (threadIdx.x == THREADS - 1)
            last = sum;
        __syncthreads();
        before += last;
        __syncthreads();
    }
}
