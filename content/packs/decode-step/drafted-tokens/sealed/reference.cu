#include "warpdrill.h"

// The truth: the same step in float64. All that lies between input and output stands in one room of doubles, each piece at its own offset.
typedef unsigned short bf16;

static __device__ double number(bf16 v)
{
    return __uint_as_float((unsigned)v << 16);
}

static __device__ bf16 rounded(double v)
{
    unsigned bits = __float_as_uint((float)v);
    return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}

extern "C" __global__ void lift(double *room, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        room[i] = x[i];
}

// A block takes a user.
extern "C" __global__ void rms(double *room, int64_t to, int64_t from, const float *gain, int n)
{
    __shared__ double part[256];
    const double *x = room + from + (int64_t)blockIdx.x * n;
    double *y = room + to + (int64_t)blockIdx.x * n, sum = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        sum += x[i] * x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 256; i++)
        sum += part[i];
    for (int i = threadIdx.x; i < n; i += 256)
        y[i] = x[i] * rsqrt(sum / n + 1e-5) * gain[i];
}

template <typename F> static __device__ void products(const bf16 *w, const double *x, int rows, int k, F done)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    double sum[USERS] = {};
    if (row >= rows)
        return;
    for (int i = lane; i < k; i += 32) {
        double v = number(w[(int64_t)row * k + i]);
        for (int u = 0; u < USERS; u++)
            sum[u] += v * x[(int64_t)u * k + i];
    }
    for (int u = 0; u < USERS; u++) {
        for (int d = 16; d > 0; d /= 2)
            sum[u] += __shfl_xor_sync(~0u, sum[u], d);
        if (lane == 0)
            done(u, row, sum[u]);
    }
}

extern "C" __global__ void product(double *room, int64_t to, const bf16 *w, int64_t from, int rows, int k)
{
    products(w, room + from, rows, k, [=](int u, int row, double v) { room[to + (int64_t)u * rows + row] = v; });
}

extern "C" __global__ void product_add(double *room, int64_t to, const bf16 *w, int64_t from, int64_t add, int rows, int k)
{
    products(w, room + from, rows, k, [=](int u, int row, double v) { room[to + (int64_t)u * rows + row] = v + room[add + (int64_t)u * rows + row]; });
}

extern "C" __global__ void product_out(double *out, const bf16 *w, double *room, int64_t from, int rows, int k)
{
    products(w, room + from, rows, k, [=](int u, int row, double v) { out[(int64_t)u * rows + row] = v; });
}

// Rotates queries and keys of the new position, a block a head; keys and values join the cache.
extern "C" __global__ void turn(double *room, int64_t at, const float *angle, bf16 *keys, bf16 *values, int heads, int kv, int past, int slots)
{
    int i = threadIdx.x, user = blockIdx.x / (heads + kv), head = blockIdx.x % (heads + kv);
    double *v = room + at + ((int64_t)user * (heads + 2 * kv) + head) * 128;
    double a = v[i], b = v[i + 64], c = cos((double)angle[i]), s = sin((double)angle[i]);
    v[i] = a * c - b * s;
    v[i + 64] = b * c + a * s;
    if (head < heads)
        return;
    int64_t to = (((int64_t)user * kv + head - heads) * slots + past) * 128;
    for (int d = i; d < 128; d += 64) {
        keys[to + d] = rounded(v[d]);
        values[to + d] = rounded(v[kv * 128 + d]);
    }
}

// A block of 128 takes a head of queries of a user.
extern "C" __global__ void attention(double *room, int64_t to, int64_t from, int64_t scores, const bf16 *keys, const bf16 *values, int heads, int kv, int past, int slots)
{
    __shared__ double part[128], q[128];
    int t = threadIdx.x, user = blockIdx.x / heads, head = blockIdx.x % heads;
    double *score = room + scores + (int64_t)blockIdx.x * (past + 1), most = -1e300, all = 0, sum = 0;
    const bf16 *key = keys + ((int64_t)user * kv + head / 4) * slots * 128, *value = values + (key - keys);
    q[t] = room[from + ((int64_t)user * (heads + 2 * kv) + head) * 128 + t] / sqrt(128.0);
    __syncthreads();
    for (int p = t; p <= past; p += 128) {
        double s = 0;
        for (int d = 0; d < 128; d++)
            s += q[d] * number(key[(int64_t)p * 128 + d]);
        score[p] = s;
        most = s > most ? s : most;
    }
    part[t] = most;
    __syncthreads();
    for (int i = 0; i < 128; i++)
        most = part[i] > most ? part[i] : most;
    __syncthreads();
    for (int p = t; p <= past; p += 128) {
        score[p] = exp(score[p] - most);
        all += score[p];
    }
    part[t] = all;
    __syncthreads();
    all = 0;
    for (int i = 0; i < 128; i++)
        all += part[i];
    for (int p = 0; p <= past; p++)
        sum += score[p] * number(value[(int64_t)p * 128 + t]);
    room[to + (int64_t)blockIdx.x * 128 + t] = sum / all;
}

// silu of the first half times the second, in place.
extern "C" __global__ void gated(double *room, int64_t to, int64_t from, int ffn)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, user = blockIdx.y;
    const double *v = room + from + (int64_t)user * 2 * ffn;
    if (i < ffn)
        room[to + (int64_t)user * ffn + i] = v[i] / (1 + exp(-v[i])) * v[ffn + i];
}

extern "C" __global__ void draw(double *tokens, const double *logits, const float *draws, int vocab)
{
    __shared__ double part[256];
    const double *v = logits + (int64_t)blockIdx.x * vocab;
    double most = -1e300, all = 0, target;
    for (int i = threadIdx.x; i < vocab; i += 256)
        most = v[i] > most ? v[i] : most;
    part[threadIdx.x] = most;
    __syncthreads();
    for (int i = 0; i < 256; i++)
        most = part[i] > most ? part[i] : most;
    __syncthreads();
    for (int i = threadIdx.x; i < vocab; i += 256)
        all += exp(v[i] - most);
    part[threadIdx.x] = all;
    __syncthreads();
    if (threadIdx.x)
        return;
    all = 0;
    for (int i = 0; i < 256; i++)
        all += part[i];
    target = draws[blockIdx.x] * all;
    int token = 0;
    for (all = exp(v[0] - most); all <= target && token < vocab - 1; all += exp(v[token] - most))
        token++;
    tokens[blockIdx.x] = token;
}

// A block of 512 takes a user of the draft head.
extern "C" __global__ void propose(double *drafts, const float *state, const bf16 *w, int steps)
{
    __shared__ double now[512];
    int i = threadIdx.x;
    double bias = state[blockIdx.x * 512 + i], v = bias;
    for (int s = 0; s < steps; s++) {
        __syncthreads();
        now[i] = v;
        __syncthreads();
        v = bias;
        for (int n = 0; n < 512; n++)
            v += number(w[i * 512 + n]) * now[n];
        v /= 1 + fabs(v);
        drafts[((int64_t)blockIdx.x * steps + s) * 512 + i] = v;
    }
}
