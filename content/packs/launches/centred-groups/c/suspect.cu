// Takes from each float the mean of its column over a group of 256 rows. A block has a strip of
// 4 * blockDim.x columns of one group; the last group may have fewer rows.
#include "warpdrill.h"

constexpr int group = 256;

static __device__ unsigned at_shared(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at_shared(to)), "l"(from)
                 : "memory");
}

static __device__ void expect(uint64_t *full, int threads)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at_shared(full)), "r"(threads)
                 : "memory");
}

static __device__ void arrive_once_copied(uint64_t *full)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at_shared(full))
                 : "memory");
}

static __device__ bool has_come(uint64_t *full)
{
    int done;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;"
                 " selp.s32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at_shared(full))
                 : "memory");
    return done;
}

static __device__ float4 plus(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

extern "C" __global__ void centre(float4 *out, const float4 *in, int rows, int cols)
{
    extern __shared__ float4 tile[];
    __shared__ uint64_t full;
    const int wide = blockDim.x, high = blockDim.y, x = threadIdx.x, y = threadIdx.y;
    float4 *const sums = tile + group * wide;
    const int first = blockIdx.y * group, here = min(group, rows - first);
    const int each = group / high, from = min(y * each, here), to = min(from + each, here);
    const size_t pitch = cols / 4, corner = first * pitch + (size_t)blockIdx.x * wide + x;

    if (x == 0 && y == 0)
        expect(&full, wide * high);
    __syncthreads();
    if (from == to)
        return;
    for (int r = from; r < to; r++)
        copy16(&tile[r * wide + x], &in[corner + r * pitch]);
    arrive_once_copied(&full);
    while (!has_come(&full))
        continue;

    float4 sum = make_float4(0, 0, 0, 0);
    for (int r = y; r < here; r += high)
        sum = plus(sum, tile[r * wide + x]);
    sums[y * wide + x] = sum;
    __syncthreads();
    for (int k = 1; k < high; k++)
        sum = plus(sum, sums[(y + k) % high * wide + x]);

    const float share = 1.0f / here;
    for (int r = y; r < here; r += high) {
        const float4 v = tile[r * wide + x];
        out[corner + r * pitch] = make_float4(v.x - share * sum.x, v.y - share * sum.y,
                                              v.z - share * sum.z, v.w - share * sum.w);
    }
}
