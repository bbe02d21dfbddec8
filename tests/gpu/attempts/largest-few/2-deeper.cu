// walls: 2
// launch 1: grid rows; block 256
// The best with more loads under way.
constexpr int K = 32, THREADS = 256, WARPS = THREADS / 32;
constexpr int DEEP = 4;
constexpr int WAITING = 64;                 // 31 that wait and 32 that come

static __device__ float sorted(float v, int lane, bool up)
{
#pragma unroll
    for (int size = 2; size <= 32; size *= 2)
#pragma unroll
        for (int d = size / 2; d; d /= 2) {
            float other = __shfl_xor_sync(~0u, v, d);
            bool falls = ((lane & size) == 0 || size == 32) != up;
            bool takes_larger = ((lane & d) == 0) == falls;
            v = takes_larger ? fmaxf(v, other) : fminf(v, other);
        }
    return v;
}

static __device__ float merged(float list, float others, int lane)
{
    float v = fmaxf(list, sorted(others, lane, true));      // falls first and rises then, or the other way round
#pragma unroll
    for (int d = 16; d; d /= 2) {
        float other = __shfl_xor_sync(~0u, v, d);
        v = lane & d ? fminf(v, other) : fmaxf(v, other);
    }
    return v;
}

struct chosen {
    float list, least, *waiting;            // waiting: in shared memory
    int n, lane;

    __device__ void take_waiting()
    {
        __syncwarp();
        float others = lane < n ? waiting[lane] : -__int_as_float(0x7f800000);
        list = merged(list, others, lane);
        least = __shfl_sync(~0u, list, K - 1);
        int left = n - 32;
        float rest = lane < left ? waiting[32 + lane] : 0;
        __syncwarp();
        if (lane < left)
            waiting[lane] = rest;
        n = left > 0 ? left : 0;
        __syncwarp();
    }

    __device__ void look(float x, bool there)
    {
        bool passes = there && x > least;
        unsigned who = __ballot_sync(~0u, passes);
        if (!who)
            return;
        if (passes)
            waiting[n + __popc(who & ((1u << lane) - 1))] = x;
        n += __popc(who);
        if (n >= 32)
            take_waiting();
    }
};

extern "C" __global__ void __launch_bounds__(THREADS) largest(float *out, const float *in, int rows, int cols)
{
    __shared__ float waiting[WARPS][WAITING], lists[WARPS][K];
    const float *row = in + (long long)blockIdx.x * cols;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float none = -__int_as_float(0x7f800000);
    chosen c = {none, none, waiting[warp], 0, lane};
    int vectors = (unsigned long long)row % 16 == 0 ? cols / 4 : 0;

    int at = warp * 32 * DEEP;
    for (; at + 32 * DEEP <= vectors; at += THREADS * DEEP) {
        float4 v[DEEP];
#pragma unroll
        for (int i = 0; i < DEEP; i++)
            v[i] = __ldcs((const float4 *)row + at + i * 32 + lane);
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            float most = fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w));
            if (!__any_sync(~0u, most > c.least))
                continue;
            c.look(v[i].x, true), c.look(v[i].y, true), c.look(v[i].z, true), c.look(v[i].w, true);
        }
    }
    for (; at < vectors; at += THREADS * DEEP)              // a piece that is not whole
        for (int i = 0; i < DEEP; i++) {
            bool there = at + i * 32 + lane < vectors;
            float4 v = there ? ((const float4 *)row)[at + i * 32 + lane] : make_float4(0, 0, 0, 0);
            c.look(v.x, there), c.look(v.y, there), c.look(v.z, there), c.look(v.w, there);
        }
    for (int k = 4 * vectors + warp * 32; k < cols; k += THREADS) {
        bool there = k + lane < cols;
        c.look(there ? row[k + lane] : 0, there);
    }
    c.take_waiting();

    lists[warp][lane] = c.list;
    __syncthreads();
    if (warp > 0)
        return;
    for (int w = 1; w < WARPS; w++)
        c.list = merged(c.list, lists[w][lane], lane);
    out[(long long)blockIdx.x * K + lane] = c.list;
}
