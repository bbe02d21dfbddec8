// walls: 2
// launch 1: grid ceildiv(ceildiv(n, 4096) + 1, 128); block 128
// launch 2: grid ceildiv(n, 4096); block 128
// Half the threads, with twice as much for each, that look back over 128 tiles at once.
constexpr int THREADS = 128, WARPS = THREADS / 32, VECTORS = 8, WINDOWS = 4;
constexpr int EACH = 4 * VECTORS, TILE = THREADS * EACH;
constexpr unsigned long long KNOWS_OWN = 1ull << 62, KNOWS_ALL = 2ull << 62, NUMBER = (1ull << 62) - 1;

extern "C" __global__ void prepare(long long *state, const int *in, long long n)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i <= (n + TILE - 1) / TILE)
        state[i] = 0;
}

static __device__ void tell(unsigned long long *at, unsigned long long word)
{
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" :: "l"(at), "l"(word) : "memory");
}

static __device__ unsigned long long look(const unsigned long long *at)
{
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

static __device__ int up_to_lane(int sum, int lane)
{
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(~0u, sum, d);
        sum += lane >= d ? other : 0;
    }
    return sum;
}

static __device__ int look_back(unsigned long long *tiles, int tile, int lane)
{
    int before = 0;
    for (int at = tile - 1 - lane;; at -= 32 * WINDOWS) {
        unsigned long long word[WINDOWS];
        bool known;
        do {
            known = true;
#pragma unroll
            for (int i = 0; i < WINDOWS; i++) {
                word[i] = at - 32 * i >= 0 ? look(tiles + at - 32 * i) : KNOWS_ALL;     // before the first there is nothing
                known = known && word[i] >= KNOWS_OWN;
            }
        } while (!__all_sync(~0u, known));
        unsigned all = 0;
#pragma unroll
        for (int i = 0; i < WINDOWS; i++) {
            unsigned here = __ballot_sync(~0u, word[i] >= KNOWS_ALL);
            if (!all)
                before += !here || lane < __ffs(here) ? (int)word[i] : 0;
            all |= here;
        }
        if (all)
            break;
    }
#pragma unroll
    for (int d = 16; d; d /= 2)
        before += __shfl_xor_sync(~0u, before, d);
    return before;
}

extern "C" __global__ void __launch_bounds__(THREADS) scan(int *out, const int *in, long long *state, long long n)
{
    __shared__ int4 vectors[THREADS * VECTORS + THREADS * VECTORS / 8];
    __shared__ int sums[WARPS], start, tile_of_block;
    unsigned long long *words = (unsigned long long *)state;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        tile_of_block = (int)atomicAdd(words, 1ull);
    __syncthreads();
    int tile = tile_of_block;
    long long first = tile * (long long)TILE;
    bool whole = first + TILE <= n && ((unsigned long long)in | (unsigned long long)out) % 16 == 0;
    int v[EACH];

    // From striped to blocked by shared memory; a vector of padding behind each eight spreads them over the banks.
    if (whole) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            int k = warp * 32 * VECTORS + i * 32 + lane;
            vectors[k + k / 8] = __ldcs((const int4 *)(in + first) + k);
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
    int mine = up_to_lane(v[EACH - 1], lane);
    if (lane == 31)
        sums[warp] = mine;
    __syncthreads();
    int before = mine - v[EACH - 1], all = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        before += w < warp ? sums[w] : 0;
        all += sums[w];
    }
    if (warp == 0) {
        if (lane == 0)
            tell(words + 1 + tile, (tile ? KNOWS_OWN : KNOWS_ALL) | (unsigned)all);
        int so_far = tile ? look_back(words + 1, tile, lane) : 0;
        if (lane == 0) {
            tell(words + 1 + tile, KNOWS_ALL | (unsigned)(so_far + all));
            start = so_far;
        }
    }
    __syncthreads();
    before += start;

    if (whole) {
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            int k = threadIdx.x * VECTORS + i;
            vectors[k + k / 8] = make_int4(v[4 * i] + before, v[4 * i + 1] + before, v[4 * i + 2] + before, v[4 * i + 3] + before);
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            int k = warp * 32 * VECTORS + i * 32 + lane;
            __stcs((int4 *)(out + first) + k, vectors[k + k / 8]);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        long long k = first + threadIdx.x * EACH + i;
        if (k < n)
            out[k] = v[i] + before;
    }
}
