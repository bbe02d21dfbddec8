// The change that tempts: lanes of a warp that have the same expert add up first, and one of them adds the sum. 32 lanes have 30 different experts
// of 256 on average, so a match and a vote for each round save two adds in shared memory that nobody waits for.
#include "warpdrill.h"

// Rows of tokens, brought together by expert. A token goes to CHOICES experts; pair p is token p / CHOICES and one of its experts. Within an
// expert rows stand in the order of their tokens.
constexpr int BLOCK = 1024, WARPS = BLOCK / 32, BINS = 256, AHEAD = 4;
constexpr int FIRST = 32, LAST = 40;                  // bits of a key that are ordered by: the expert stands above the pair
constexpr int WIDE = HIDDEN / 4;                      // lanes that take a row, four numbers each

extern "C" __global__ void begin(int *counts)
{
    if (threadIdx.x == 0)
        counts[0] = 0;
}

// The blocks are resident together. Each waits here until `target` arrivals were counted.
static __device__ void meet(int *arrived, int target)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (*(volatile int *)arrived < target)
            ;
        __threadfence();
    }
    __syncthreads();
}

static __device__ int64_t key_of(const int *expert, const int64_t *keys, int bit, int i)
{
    return bit == FIRST ? (int64_t)__ldg(expert + i) << 32 | i : __ldcg(keys + i);
}

// Each warp counts the digits of its keys, from `at` to `end`.
static __device__ void tally(int *count, const int *expert, const int64_t *keys, int bit, int at, int end)
{
    for (int lane = threadIdx.x % 32; at < end; at += 32 * AHEAD) {
        int digit[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            digit[a] = at + 32 * a + lane < end ? (int)(key_of(expert, keys, bit, at + 32 * a + lane) >> bit) & (BINS - 1) : -1;
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            unsigned same = __match_any_sync(~0u, digit[a]);
            if (digit[a] >= 0 && lane == __ffs(same) - 1)
                atomicAdd(count + digit[a], __popc(same));
        }
    }
}

// Counts of digits in warps become the places of their first keys. `others` has the counts of all blocks.
static __device__ void place(int (*count)[BINS], const int *others, int blocks, int *starts, int bit)
{
    __shared__ int lower[BLOCK / BINS][BINS], all[BLOCK / BINS][BINS], upto[BINS];
    int bin = threadIdx.x % BINS, part = threadIdx.x / BINS, less = 0, sum = 0;
#pragma unroll 8
    for (int b = part; b < blocks; b += BLOCK / BINS) {
        int n = __ldcg(others + b * BINS + bin);
        sum += n;
        less += b < (int)blockIdx.x ? n : 0;
    }
    lower[part][bin] = less;
    all[part][bin] = sum;
    __syncthreads();
    if (part == 0) {
        for (int p = 1; p < BLOCK / BINS; p++)
            sum += all[p][bin], less += lower[p][bin];
        upto[bin] = sum;
    }
    __syncthreads();
    for (int d = 1; d < BINS; d *= 2) {
        int left = part == 0 && bin >= d ? upto[bin - d] : 0;
        __syncthreads();
        if (part == 0)
            upto[bin] += left;
        __syncthreads();
    }
    if (part == 0) {
        int at = upto[bin] - sum;
        if (bit == 32 && blockIdx.x == 0) {
            starts[bin] = at;
            if (bin == BINS - 1)
                starts[BINS] = at + sum;
        }
        at += less;
        for (int w = 0; w < WARPS; w++) {
            int n = count[w][bin];
            count[w][bin] = at;
            at += n;
        }
    }
    __syncthreads();
}

// Each warp takes its keys to their places, those of a digit in the order in which they stood.
static __device__ void deal(int *next, int64_t *out, int *slot, const int *expert, const int64_t *keys, int bit, int at, int end)
{
    int lane = threadIdx.x % 32;
    for (; at < end; at += 32 * AHEAD) {
        int64_t key[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            int i = at + 32 * a + lane;
            key[a] = i < end ? key_of(expert, keys, bit, i) : 0;
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            bool mine = at + 32 * a + lane < end;
            int digit = mine ? (int)(key[a] >> bit) & (BINS - 1) : BINS;
            unsigned same = __match_any_sync(~0u, digit);
            int place = mine ? next[digit] + __popc(same & ((1u << lane) - 1)) : 0;
            __syncwarp();
            if (mine && lane == 31 - __clz(same))
                next[digit] = place + 1;
            __syncwarp();
            if (mine && bit + 8 >= LAST)
                slot[(int)key[a]] = place;
            else if (mine)
                out[place] = key[a];
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) order(int *slot, int *starts, int64_t *keys, int *counts, const int *expert, int n)
{
    __shared__ int count[WARPS][BINS];
    const int blocks = gridDim.x;                     // that share the pairs
    int warp = threadIdx.x / 32, met = 0;
    int each = wd_ceildiv(n, blocks * WARPS * 32) * 32, at = min(((int)blockIdx.x * WARPS + warp) * each, n), end = min(at + each, n);
    if ((int)blockIdx.x >= blocks)
        return;
    int64_t *from = keys, *to = keys + n;

    for (int bit = FIRST; bit < LAST; bit += 8) {
        for (int i = threadIdx.x; i < WARPS * BINS; i += BLOCK)
            count[i / BINS][i % BINS] = 0;
        __syncthreads();
        tally(count[warp], expert, from, bit, at, end);
        __syncthreads();
        if (threadIdx.x < BINS) {
            int sum = 0;
            for (int w = 0; w < WARPS; w++)
                sum += count[w][threadIdx.x];
            counts[BINS * (blockIdx.x + 1) + threadIdx.x] = sum;
        }
        meet(counts, ++met * blocks);
        place(count, counts + BINS, blocks, starts, bit);
        deal(count[warp], to, slot, expert, from, bit, at, end);
        if (bit + 8 < LAST)
            meet(counts, ++met * blocks);
        int64_t *next = from;
        from = to;
        to = next;
    }
}

// A row is read once and written to its place with each of its experts.
extern "C" __global__ void __launch_bounds__(256) move(float4 *out, const float4 *row, const int *slot, int tokens)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int token = i / WIDE, lane = i % WIDE;
    if (token >= tokens)
        return;
    float4 v = __ldcs(row + i);
#pragma unroll
    for (int k = 0; k < CHOICES; k++)
        __stcs(out + (int64_t)__ldg(slot + token * CHOICES + k) * WIDE + lane, v);
}
