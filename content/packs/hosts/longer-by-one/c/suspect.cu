// The attention of one layer for one token, eight heads of 128 numbers. scores: a warp takes a position, a lane four numbers of its
// key. weights: a block takes a head. mix: a block takes a share of the positions. join: sums up the shares of a head.
static __device__ float warp_sum(float v)
{
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    return v;
}

extern "C" __global__ void scores(float *__restrict__ scored, const float *__restrict__ keys,
                                  const float *__restrict__ query, int len)
{
    int lane = threadIdx.x % 32, head = blockIdx.y, per = blockDim.x / 32;
    const float4 *k = (const float4 *)keys + (size_t)head * len * 32 + lane;
    const float4 q = ((const float4 *)query)[head * 32 + lane];
#pragma unroll 4
    for (int p = blockIdx.x * per + threadIdx.x / 32; p < len; p += gridDim.x * per) {
        float4 a = k[(size_t)p * 32];
        float v = warp_sum((a.x * q.x + a.y * q.y) + (a.z * q.z + a.w * q.w));
        if (lane == 0)
            scored[(size_t)head * len + p] = v;
    }
}

static __device__ float block_of(float v, bool largest)
{
    __shared__ float each[32];
    for (int k = 16; k > 0; k /= 2) {
        float o = __shfl_xor_sync(~0u, v, k);
        v = largest ? fmaxf(v, o) : v + o;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        each[threadIdx.x / 32] = v;
    __syncthreads();
    v = each[0];
    for (int k = 1; k < blockDim.x / 32; k++)
        v = largest ? fmaxf(v, each[k]) : v + each[k];
    return v;
}

extern "C" __global__ void weights(float *scored, float *totals, int len)
{
    float *s = scored + (size_t)blockIdx.x * len, top = s[0], sum = 0;
    for (int p = threadIdx.x; p < len; p += blockDim.x)
        top = fmaxf(top, s[p]);
    top = block_of(top, true);
    for (int p = threadIdx.x; p < len; p += blockDim.x) {
        float e = __expf(s[p] - top);
        s[p] = e;
        sum += e;
    }
    sum = block_of(sum, false);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = sum;
}

extern "C" __global__ void mix(float *__restrict__ shares, const float *__restrict__ values,
                               const float *__restrict__ scored, int len)
{
    __shared__ float4 rows[16][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, head = blockIdx.y, per = blockDim.x / 32;
    const float4 *v = (const float4 *)values + (size_t)head * len * 32 + lane;
    const float *s = scored + (size_t)head * len;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
    for (int p = blockIdx.x * per + warp; p < len; p += gridDim.x * per) {
        float4 a = v[(size_t)p * 32];
        float w = s[p];
        sum = make_float4(sum.x + w * a.x, sum.y + w * a.y, sum.z + w * a.z, sum.w + w * a.w);
    }
    rows[warp][lane] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    for (int k = 1; k < per; k++) {
        float4 a = rows[k][lane];
        sum = make_float4(sum.x + a.x, sum.y + a.y, sum.z + a.z, sum.w + a.w);
    }
    ((float4 *)shares)[((size_t)head * gridDim.x + blockIdx.x) * 32 + lane] = sum;
}

extern "C" __global__ void join(float *out, const float *shares, const float *totals, int parts)
{
    __shared__ float each[4][128];
    int c = threadIdx.x % 128, group = threadIdx.x / 128;
    float sum = 0;
#pragma unroll 4
    for (int k = group; k < parts; k += 4)
        sum += shares[((size_t)blockIdx.x * parts + k) * 128 + c];
    each[group][c] = sum;
    __syncthreads();
    if (group == 0)
        out[blockIdx.x * 128 + c] = (each[0][c] + each[1][c] + each[2][c] + each[3][c]) / totals[blockIdx.x];
}
