#include "warpdrill.h"

// One step of decoding for USERS users: a layer of a model and its head. Weights, keys and values are bfloat16, all else is float.
// Rows of a matrix are contiguous, and so is what belongs to one user.
typedef unsigned short bf16;

constexpr int HEAD = 128, GROUP = 4;                  // numbers of a head; heads of queries to one of keys
constexpr int CHUNK = 16384;                          // positions of the cache that a block takes
constexpr int WARPS = 4, ROWS = 4;                    // warps of a block; rows of a matrix that a warp walks side by side
constexpr int STRIDE = 128, DEEP = 4;                 // numbers of a row that a warp loads at once; how many times that it has on its way
constexpr int SLICE = 1024;                           // logits that a block of the sampler takes
constexpr int COUNTERS = USERS, SLICES = 64, SUMS = 65536;    // the scratch memory: counters, from here slices, from here sums
constexpr float LEAST = -1e30f;

static __device__ float low(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float high(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

static __device__ bf16 rounded(float x)
{
    unsigned bits = __float_as_uint(x);
    return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}

static __device__ float power_of_two(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Sums over the 16 lanes of a team: lane i of it returns that of v[i].
template <int N = 8> static __device__ float team_sums(float (&v)[16])
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        float a = v[i], b = v[i + N];
        v[i] = (threadIdx.x & N ? b : a) + __shfl_xor_sync(~0u, threadIdx.x & N ? a : b, N);
    }
    if constexpr (N > 1)
        return team_sums<N / 2>(v);
    return v[0];
}

static __device__ float total(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

extern "C" __global__ void begin(unsigned *scratch, int64_t words)
{
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < min(words, (int64_t)COUNTERS); i += (int64_t)gridDim.x * blockDim.x)
        scratch[i] = 0;
}

// A block takes a user: x over its root mean square, times the gain.
extern "C" __global__ void __launch_bounds__(1024) normalise(float *out, const float *x, const float *gain, int n)
{
    __shared__ float part[32];
    const float *from = x + (size_t)blockIdx.x * n;
    float *to = out + (size_t)blockIdx.x * n;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += from[i] * from[i];
    sum = total(sum);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = total(threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0.0f);
    float scale = rsqrtf(sum / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = from[i] * scale * gain[i];
}

// D * STRIDE numbers of each row from `at` on, to registers.
template <int D> static __device__ void fetch(uint2 (&w)[D][ROWS], const bf16 *const (&row)[ROWS], int at)
{
#pragma unroll
    for (int d = 0; d < D; d++)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            w[d][r] = __ldcs((const uint2 *)(row[r] + at + d * STRIDE));
}

// Those, times the same numbers of N vectors of length k.
template <int N, int D> static __device__ void apply(float (&sum)[ROWS][N], const uint2 (&w)[D][ROWS], const float *x, int k, int at)
{
#pragma unroll
    for (int d = 0; d < D; d++)
#pragma unroll
        for (int u = 0; u < N; u++) {
            float4 a = *(const float4 *)(x + (size_t)u * k + at + d * STRIDE);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                sum[r][u] += low(w[d][r].x) * a.x;
                sum[r][u] += high(w[d][r].x) * a.y;
                sum[r][u] += low(w[d][r].y) * a.z;
                sum[r][u] += high(w[d][r].y) * a.w;
            }
        }
}

// Rows times N vectors, from `from` to `to`; the next D * STRIDE numbers are on their way while these are used. Lane r * N + u returns
// row r times vector u.
template <int N, int D> static __device__ float walk(const bf16 *const (&row)[ROWS], const float *x, int k, int from, int to)
{
    int lane = threadIdx.x % 32, at = from + 4 * lane, turns = (to - from) / (D * STRIDE);
    float sum[ROWS][N] = {}, mine = 0;
    uint2 now[D][ROWS], next[D][ROWS], one[1][ROWS];
    if (turns > 0)
        fetch(now, row, at);
#pragma unroll 2
    for (int t = 1; t < turns; t++) {
        fetch(next, row, at + D * STRIDE);
        apply(sum, now, x, k, at);
#pragma unroll
        for (int i = 0; i < D * ROWS; i++)
            now[i / ROWS][i % ROWS] = next[i / ROWS][i % ROWS];
        at += D * STRIDE;
    }
    if (turns > 0) {
        apply(sum, now, x, k, at);
        at += D * STRIDE;
    }
    for (; at < to; at += STRIDE) {
        fetch(one, row, at);
        apply(sum, one, x, k, at);
    }
#pragma unroll
    for (int i = 0; i < ROWS * N; i++) {
        float t = total(sum[i / N][i % N]);
        mine = lane == i ? t : mine;
    }
    return mine;
}

// y = W x + add; W has rows of k numbers. A block takes ROWS of them, each of its warps an equal part of their length.
static __device__ void project_onto(float *y, const bf16 *w, const float *x, const float *add, int rows, int k)
{
    __shared__ float part[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * ROWS;
    const bf16 *row[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        row[r] = w + (size_t)(first + r) * k;
    part[warp][lane] = walk<USERS, DEEP>(row, x, k, k / WARPS * warp, k / WARPS * (warp + 1));
    __syncthreads();
    if (threadIdx.x < ROWS * USERS) {
        size_t to = (size_t)(lane % USERS) * rows + first + lane / USERS;
        float v = add ? add[to] : 0.0f;
        for (int i = 0; i < WARPS; i++)
            v += part[i][lane];
        y[to] = v;
    }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 4) project(float *y, const bf16 *w, const float *x, int rows, int k)
{
    project_onto(y, w, x, nullptr, rows, k);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, 4) project_add(float *y, const bf16 *w, const float *x, const float *add, int rows, int k)
{
    project_onto(y, w, x, add, rows, k);
}

// Rotates the queries and the key of the new position. A block takes a head of a user, a thread the numbers i and i + HEAD / 2.
extern "C" __global__ void rotate(float *qkv, const float *angle, int heads, int kv)
{
    int i = threadIdx.x, user = blockIdx.x / (heads + kv), head = blockIdx.x % (heads + kv);
    float *v = qkv + ((size_t)user * (heads + 2 * kv) + head) * HEAD;
    float a = v[i], b = v[i + HEAD / 2], s, c;
    sincosf(angle[i], &s, &c);
    v[i] = a * c - b * s;
    v[i + HEAD / 2] = b * c + a * s;
}

// Key and value of the new position join the cache. A block takes a head of keys of a user.
extern "C" __global__ void append(bf16 *keys, bf16 *values, const float *qkv, int heads, int kv, int past, int slots)
{
    int user = blockIdx.x / kv, head = blockIdx.x % kv;
    const float *key = qkv + ((size_t)user * (heads + 2 * kv) + heads + head) * HEAD + threadIdx.x;
    size_t to = ((size_t)blockIdx.x * slots + past) * HEAD + threadIdx.x;
    keys[to] = rounded(key[0]);
    values[to] = rounded(key[kv * HEAD]);
}

static __device__ void unpack(float (&out)[8], uint4 v)
{
    out[0] = low(v.x), out[1] = high(v.x), out[2] = low(v.y), out[3] = high(v.y);
    out[4] = low(v.z), out[5] = high(v.z), out[6] = low(v.w), out[7] = high(v.w);
}

// The sums of a chunk of positions: GROUP x HEAD numbers, then for each head its largest score and the sum of its weights.
static __device__ float *sums_of(float *scratch, int pair, int chunk, int chunks)
{
    return scratch + SUMS + ((size_t)pair * chunks + chunk) * GROUP * (HEAD + 2);
}

// Attention over the cache. A block takes a chunk of positions of one head of keys, of one user; TEAM lanes take a position.
extern "C" __global__ void __launch_bounds__(32 * WARPS, 4) attend(float *scratch, const float *qkv, const bf16 *keys, const bf16 *values, int heads, int kv, int past, int slots)
{
    constexpr int TEAM = HEAD / 8, TEAMS = 32 * WARPS / TEAM, AHEAD = TEAM / GROUP;      // a lane has the weight of one position and head
    __shared__ float sums[TEAMS][GROUP][HEAD], tops[TEAMS][GROUP], weights[TEAMS][GROUP];
    int pair = blockIdx.y, team = threadIdx.x / TEAM, at = threadIdx.x % TEAM, part = at * 8, first_lane = threadIdx.x % 32 / TEAM * TEAM;
    int first = blockIdx.x * CHUNK, end = min(first + CHUNK, past + 1);
    if (first >= end)
        return;
    const float *query = qkv + ((size_t)(pair / kv) * (heads + 2 * kv) + pair % kv * GROUP) * HEAD + part;
    const bf16 *key = keys + (size_t)pair * slots * HEAD + part, *value = values + (size_t)pair * slots * HEAD + part;
    float q[GROUP][8], sum[GROUP][8] = {}, weight = 0, top = LEAST;
#pragma unroll
    for (int j = 0; j < GROUP; j++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            q[j][i] = query[j * HEAD + i] * 0.12751743f;      // log2(e) / sqrt(HEAD)

    for (int base = first + team; base - team < end; base += TEAMS * AHEAD) {
        uint4 k[AHEAD], v[AHEAD];
        float score[AHEAD * GROUP];
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            size_t from = (size_t)min(base + a * TEAMS, end - 1) * HEAD;
            k[a] = __ldcs((const uint4 *)(key + from));
            v[a] = __ldcs((const uint4 *)(value + from));
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            float f[8];
            unpack(f, k[a]);
#pragma unroll
            for (int j = 0; j < GROUP; j++) {
                float s = 0;
#pragma unroll
                for (int i = 0; i < 8; i++)
                    s += q[j][i] * f[i];
                score[a * GROUP + j] = s;
            }
        }
        float own = team_sums(score), counts = base + at / GROUP * TEAMS < end ? 1.0f : 0.0f, next = fmaxf(top, counts > 0 ? own : LEAST);
        next = fmaxf(next, __shfl_xor_sync(~0u, next, GROUP));
        next = fmaxf(next, __shfl_xor_sync(~0u, next, 2 * GROUP));
        float scale = power_of_two(top - next);
        own = power_of_two(fminf(own - next, 0.0f)) * counts;
        weight = weight * scale + own;
        top = next;
#pragma unroll
        for (int j = 0; j < GROUP; j++) {
            float of_head = __shfl_sync(~0u, scale, first_lane + j);
#pragma unroll
            for (int i = 0; i < 8; i++)
                sum[j][i] *= of_head;
        }
#pragma unroll
        for (int a = 0; a < AHEAD; a++) {
            float f[8];
            unpack(f, v[a]);
#pragma unroll
            for (int j = 0; j < GROUP; j++) {
                float of_both = __shfl_sync(~0u, own, first_lane + a * GROUP + j);
#pragma unroll
                for (int i = 0; i < 8; i++)
                    sum[j][i] += of_both * f[i];
            }
        }
    }

    weight += __shfl_xor_sync(~0u, weight, GROUP);
    weight += __shfl_xor_sync(~0u, weight, 2 * GROUP);
    if (at < GROUP)
        tops[team][at] = top, weights[team][at] = weight;
#pragma unroll
    for (int j = 0; j < GROUP; j++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            sums[team][j][part + i] = sum[j][i];
    __syncthreads();
    float *to = sums_of(scratch, pair, blockIdx.x, gridDim.x);
    for (int j = 0; j < GROUP; j++) {
        float most = LEAST, all = 0, s = 0;
        for (int t = 0; t < TEAMS; t++)
            most = fmaxf(most, tops[t][j]);
        for (int t = 0; t < TEAMS; t++) {
            float scale = power_of_two(tops[t][j] - most);
            s += sums[t][j][threadIdx.x] * scale;
            all += weights[t][j] * scale;
        }
        to[j * HEAD + threadIdx.x] = s;
        if (threadIdx.x == 0)
            to[GROUP * HEAD + 2 * j] = most, to[GROUP * HEAD + 2 * j + 1] = all;
    }
}

// The chunks of a head of queries become one. A block takes such a head, a thread one of its numbers.
extern "C" __global__ void merge(float *out, float *scratch, int heads, int kv, int past, int chunks)
{
    int user = blockIdx.x / heads, head = blockIdx.x % heads, j = head % GROUP, used = wd_ceildiv(past + 1, CHUNK);
    int pair = user * kv + head / GROUP;
    float most = LEAST, all = 0, s = 0;
#pragma unroll 8
    for (int c = 0; c < used; c++) {
        const float *from = sums_of(scratch, pair, c, chunks);
        float top = from[GROUP * HEAD + 2 * j], next = fmaxf(most, top), fade = power_of_two(most - next), scale = power_of_two(top - next);
        s = s * fade + from[j * HEAD + threadIdx.x] * scale;
        all = all * fade + from[GROUP * HEAD + 2 * j + 1] * scale;
        most = next;
    }
    out[(size_t)blockIdx.x * HEAD + threadIdx.x] = s / all;
}

// act = silu(G x) * (U x), the rows of G before those of U. A warp takes two rows of each.
extern "C" __global__ void __launch_bounds__(32 * WARPS, 4) gate_up(float *act, const bf16 *w, const float *x, int ffn, int k)
{
    int lane = threadIdx.x % 32;
    for (int at = (blockIdx.x * WARPS + threadIdx.x / 32) * 2; at < ffn; at += gridDim.x * WARPS * 2) {
        const bf16 *gate = w + (size_t)at * k, *up = gate + (size_t)ffn * k, *const row[ROWS] = {gate, gate + k, up, up + k};
        float g = walk<USERS, DEEP - 1>(row, x, k, 0, k), u = __shfl_down_sync(~0u, g, 2 * USERS);
        if (lane < 2 * USERS)
            act[(size_t)(lane % USERS) * ffn + at + lane / USERS] = g / (1.0f + __expf(-g)) * u;
    }
}

// Block-wide: the largest v.
static __device__ float largest(float v)
{
    __shared__ float part[32];
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
    __syncthreads();
    part[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < blockDim.x / 32; w++)
        v = fmaxf(v, part[w]);
    return v;
}

// Block-wide: the sum of v over all threads left of this one; *all is the sum over all.
static __device__ float sum_left(float v, float *all)
{
    __shared__ float part[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float upto = v, left = 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        float other = __shfl_up_sync(~0u, upto, d);
        upto += lane >= d ? other : 0.0f;
    }
    __syncthreads();
    if (lane == 31)
        part[warp] = upto;
    __syncthreads();
    *all = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
        left = w == warp ? *all : left;
        *all += part[w];
    }
    float last = __shfl_up_sync(~0u, upto, 1);
    return lane ? left + last : left;
}

// Draws a token of each user by its probability. A block takes a slice of a user's logits; the one that ends last draws.
extern "C" __global__ void __launch_bounds__(SLICE / 4) sample(int *tokens, float *scratch, const float *logits, const float *draws, int vocab)
{
    __shared__ int slice, finished;
    __shared__ float target;
    int user = blockIdx.y, slices = gridDim.x, at = blockIdx.x * SLICE + 4 * threadIdx.x;
    const float *from = logits + (size_t)user * vocab;
    float *sums = scratch + SLICES + 2 * user * slices;
    float v[4], top = LEAST, own = 0, all, left;
    for (int i = 0; i < 4; i++) {
        v[i] = at + i < vocab ? from[at + i] : LEAST;
        top = fmaxf(top, v[i]);
    }
    top = largest(top);
    for (int i = 0; i < 4; i++)
        own += __expf(v[i] - top);
    sum_left(own, &all);
    if (threadIdx.x == 0) {
        sums[2 * blockIdx.x] = top;
        sums[2 * blockIdx.x + 1] = all;
        __threadfence();
        finished = atomicAdd((unsigned *)scratch + user, 1u) + 1;
        slice = slices - 1, target = 1e30f;
    }
    __syncthreads();
    if (finished < slices)
        return;

    // First which slice the draw falls into, then which of its logits.
    __threadfence();
    float slice_top = threadIdx.x < slices ? __ldcg(sums + 2 * threadIdx.x) : LEAST;
    top = largest(slice_top);
    own = threadIdx.x < slices ? __ldcg(sums + 2 * threadIdx.x + 1) * __expf(slice_top - top) : 0.0f;
    left = sum_left(own, &all);
    float drawn = draws[user] * all;
    if (left <= drawn && drawn < left + own) {
        slice = threadIdx.x;
        target = drawn - left;
    }
    __syncthreads();
    at = slice * SLICE + 4 * threadIdx.x;
    own = 0;
    for (int i = 0; i < 4; i++) {
        v[i] = at + i < vocab ? __expf(from[at + i] - top) : 0.0f;
        own += v[i];
    }
    left = sum_left(own, &all);
    if (threadIdx.x == 0)
        tokens[user] = min(slice * SLICE + SLICE, vocab) - 1;
    __syncthreads();
    if (left <= target && target < left + own) {
        int i = 0;
        for (; i < 3 && left + v[i] <= target; i++)
            left += v[i];
        tokens[user] = at + i;
    }
}
