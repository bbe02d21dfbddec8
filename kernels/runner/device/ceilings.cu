// What this GPU gives at best: the yardsticks that everything else is compared with.
//
// Copies tried on an H200 (8192 x 8192 f32, 537 MB moved, cold): one float4 per thread in blocks of 256
// moved 4274 GB/s; grid-stride loops, and two to eight float4 per thread, 4023 to 4138. Other GPUs
// prefer other shapes, so the host tries several of each and keeps the fastest.
//
// wd_copy_one   n float4, one per thread
// wd_copy_four  n float4, four per thread, loads before stores
// wd_copy_loop  n float4, grid-stride
// wd_read       n float4, grid-stride, four loads in flight; nothing is written
// wd_write_one  n uint4, one per thread; nothing is read
// wd_write_loop n uint4, grid-stride
// wd_l2         `loads` float4 per thread around a buffer of n that stays in L2. The loads pass L1 by
//               (.cg), and the grid does not divide n, so an SM meets lines of every other SM.
// wd_fma        8 independent chains of multiply-adds per thread: 8 * 32 * rounds of them. A chain waits
//               4 cycles for itself; eight of them in full residency leave no issue slot empty. 256 in a
//               row make the loop's own instructions 1 %.
// wd_tensor     mma.sync f16 with f32 sums, 8 independent accumulators per warp: 8 * 8 * rounds of 16x8x16
//               (16x8x8 on sm_75). Random operands, for zeros draw less power and so run at a higher
//               clock than real work. wgmma and tcgen05 go higher than mma.sync.

extern "C" __global__ void wd_copy_one(float4 *out, const float4 *in, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void wd_copy_four(float4 *out, const float4 *in, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x * 4 + threadIdx.x;
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * blockDim.x < n)
            v[k] = in[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * blockDim.x < n)
            out[i + k * blockDim.x] = v[k];
}

extern "C" __global__ void wd_copy_loop(float4 *out, const float4 *in, unsigned long long n)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = in[i];
}

extern "C" __global__ void wd_read(const float4 *in, unsigned long long n, float *sink)
{
    float sum = 0;
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    for (; i + 3 * step < n; i += 4 * step) {
        float4 a = in[i], b = in[i + step], c = in[i + 2 * step], d = in[i + 3 * step];
        sum += (a.x + a.y + a.z + a.w) + (b.x + b.y + b.z + b.w) + (c.x + c.y + c.z + c.w) + (d.x + d.y + d.z + d.w);
    }
    for (; i < n; i += step)
        sum += in[i].x + in[i].y + in[i].z + in[i].w;
    if (sum == 1.2345e30f) // keeps the loads alive
        *sink = sum;
}

extern "C" __global__ void wd_write_one(uint4 *out, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    unsigned v = (unsigned)i * 2654435761u;
    if (i < n)
        out[i] = make_uint4(v, v ^ 0x9e3779b9u, v + 0x85ebca6bu, ~v);
}

extern "C" __global__ void wd_write_loop(uint4 *out, unsigned long long n)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned v = (unsigned)i * 2654435761u;
        out[i] = make_uint4(v, v ^ 0x9e3779b9u, v + 0x85ebca6bu, ~v);
    }
}

static __device__ float4 load_from_l2(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

extern "C" __global__ void wd_l2(const float4 *in, unsigned n, unsigned loads, float *sink)
{
    unsigned step = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x; // the host keeps step < n
    float sum = 0;
    for (unsigned k = 0; k < loads; k += 4) {
        float4 v[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            v[j] = load_from_l2(in + i);
            i += step;
            i = i >= n ? i - n : i;
        }
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    if (sum == 1.2345e30f)
        *sink = sum;
}

extern "C" __global__ void __launch_bounds__(256) wd_fma(float a, float b, unsigned rounds, float *sink)
{
    float x[8], sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        x[k] = threadIdx.x + 0.37f * k;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 32; u++)
#pragma unroll
            for (int k = 0; k < 8; k++)
                x[k] = fmaf(x[k], a, b);
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += x[k];
    if (sum == 1.2345e30f)
        *sink = sum;
}

// Two f16 of random sign and mantissa between 0.5 and 1 in magnitude.
static __device__ unsigned random_halves(unsigned seed)
{
    seed = (seed ^ (seed >> 16)) * 0x7feb352du;
    seed = (seed ^ (seed >> 15)) * 0x846ca68bu;
    seed ^= seed >> 16;
    return (seed & 0x83ff83ffu) | 0x38003800u;
}

static __device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#endif
}

extern "C" __global__ void __launch_bounds__(256) wd_tensor(unsigned rounds, float *sink)
{
    unsigned a[2][4], b[4][2], seed = 64 * (blockIdx.x * blockDim.x + threadIdx.x);
    float d[8][4] = {}, sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        a[k / 4][k % 4] = random_halves(seed + k);
        b[k / 2][k % 2] = random_halves(seed + 8 + k);
    }
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
#pragma unroll
            for (int k = 0; k < 8; k++)
                multiply(d[k], a[k % 2], b[k / 2]);
    }
#pragma unroll
    for (int k = 0; k < 32; k++)
        sum += d[k / 4][k % 4];
    if (sum == 1.2345e30f)
        *sink = sum;
}
