// y = x W for four rows x of length k. W has k rows of n columns. A block owns 256 columns and walks down W;
// tiles of it, with their part of x, pass through a ring in shared memory.
constexpr int WIDTH = 256, ACROSS = WIDTH / 4;  // columns of a block; copies of 16 bytes side by side
constexpr int THREADS = 128;
constexpr int HEIGHT = ROWS * 2;                // rows of W in a tile
constexpr int DEPTH = STAGES;                   // slots of the ring
constexpr int SLOT = HEIGHT * (WIDTH + 4);      // floats

static __device__ void copy16(float *to, const float *from)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at), "l"(from) : "memory");
}

static __device__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING> static __device__ void wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

static __device__ void fetch(float *slot, const float *w, const float *x, int row, int n)
{
#pragma unroll
    for (int first = 0; first < HEIGHT; first += THREADS / ACROSS) {
        int r = first + threadIdx.x / ACROSS, c = threadIdx.x % ACROSS * 4;
        if (HEIGHT % (THREADS / ACROSS) == 0 || r < HEIGHT)
            copy16(slot + r * WIDTH + c, w + (size_t)(row + r) * n + c);
    }
    if (threadIdx.x < HEIGHT)
        copy16(slot + HEIGHT * WIDTH + 4 * threadIdx.x, x + 4 * (row + threadIdx.x));
}

static __device__ void consume(const float *slot, float2 sum[4])
{
#pragma unroll
    for (int r = 0; r < HEIGHT; r++) {
        __syncthreads();
        float2 w = *(const float2 *)(slot + r * WIDTH + 2 * threadIdx.x);
        float4 x = *(const float4 *)(slot + HEIGHT * WIDTH + 4 * r);
        __syncthreads();
        sum[0].x += x.x * w.x, sum[0].y += x.x * w.y;
        sum[1].x += x.y * w.x, sum[1].y += x.y * w.y;
        __syncthreads();
        sum[2].x += x.z * w.x, sum[2].y += x.z * w.y;
        sum[3].x += x.w * w.x, sum[3].y += x.w * w.y;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) project(float *y, const float *w, const float *x, int k, int n)
{
    extern __shared__ __align__(16) float ring[];
    int column = blockIdx.x * WIDTH;
    int tiles = k / HEIGHT;
    float2 sum[4] = {};

    for (int t = 0; t < DEPTH - 1; t++) {
        fetch(ring + t * SLOT, w + column, x, t * HEIGHT, n);
        commit();
    }
    for (int t = 0; t < tiles; t++) {
        int next = t + DEPTH - 1;
        if (next < tiles)
            fetch(ring + next % DEPTH * SLOT, w + column, x, next * HEIGHT, n);
        commit();
        wait<DEPTH - 1>();
        consume(ring + t % DEPTH * SLOT, sum);
        __syncthreads();
    }
    for (int b = 0; b < 4; b++)
        *(float2 *)&y[(size_t)b * n + column + 2 * threadIdx.x] = sum[b];
}
