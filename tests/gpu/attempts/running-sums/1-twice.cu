// walls: 1
// launch 1: grid ceildiv(n, 4096); block 256
// launch 2: grid ceildiv(n, 4096); block 256
// The sum of each tile first; then each block adds up those before its own, and reads its tile a second time.
constexpr int THREADS = 256, WARPS = THREADS / 32, VECTORS = 4, EACH = 4 * VECTORS, TILE = THREADS * EACH;

static __device__ long long whole_sum(long long v, long long *sums)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int w = 0; w < WARPS; w++)
        v += sums[w];
    __syncthreads();
    return v;
}

extern "C" __global__ void __launch_bounds__(THREADS) prepare(long long *state, const int *in, long long n)
{
    __shared__ long long sums[WARPS];
    long long first = blockIdx.x * (long long)TILE, sum = 0;
    bool whole = first + TILE <= n && (unsigned long long)in % 16 == 0;
    if (whole)
        for (int i = 0; i < VECTORS; i++) {
            int4 q = ((const int4 *)(in + first))[i * THREADS + threadIdx.x];
            sum += q.x + q.y + q.z + q.w;
        }
    else
        for (long long k = first + threadIdx.x; k < min(first + TILE, n); k += THREADS)
            sum += in[k];
    sum = whole_sum(sum, sums);
    if (threadIdx.x == 0)
        state[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) scan(int *out, const int *in, long long *state, long long n)
{
    __shared__ long long sums[WARPS];
    __shared__ int4 vectors[THREADS * VECTORS + THREADS * VECTORS / 8];
    __shared__ int ends[WARPS];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    long long first = blockIdx.x * (long long)TILE, before = 0;
    bool whole = first + TILE <= n && ((unsigned long long)in | (unsigned long long)out) % 16 == 0;
    int v[EACH];
    for (int t = threadIdx.x; t < blockIdx.x; t += THREADS)
        before += state[t];
    before = whole_sum(before, sums);
    if (whole) {
        for (int i = 0; i < VECTORS; i++) {
            int k = warp * 32 * VECTORS + i * 32 + lane;
            vectors[k + k / 8] = ((const int4 *)(in + first))[k];
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            int k = threadIdx.x * VECTORS + i;
            int4 q = vectors[k + k / 8];
            v[4 * i] = q.x, v[4 * i + 1] = q.y, v[4 * i + 2] = q.z, v[4 * i + 3] = q.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            long long k = first + threadIdx.x * EACH + i;
            v[i] = k < n ? in[k] : 0;
        }
    }
#pragma unroll
    for (int i = 1; i < EACH; i++)
        v[i] += v[i - 1];
    int mine = v[EACH - 1];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(~0u, mine, d);
        mine += lane >= d ? other : 0;
    }
    if (lane == 31)
        ends[warp] = mine;
    __syncthreads();
    int start = (int)before + mine - v[EACH - 1];
    for (int w = 0; w < warp; w++)
        start += ends[w];
    if (whole) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            int k = threadIdx.x * VECTORS + i;
            vectors[k + k / 8] = make_int4(v[4 * i] + start, v[4 * i + 1] + start, v[4 * i + 2] + start, v[4 * i + 3] + start);
        }
        __syncwarp();
        for (int i = 0; i < VECTORS; i++) {
            int k = warp * 32 * VECTORS + i * 32 + lane;
            ((int4 *)(out + first))[k] = vectors[k + k / 8];
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        long long k = first + threadIdx.x * EACH + i;
        if (k < n)
            out[k] = v[i] + start;
    }
}
