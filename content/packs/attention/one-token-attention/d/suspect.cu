// Attention of one new token: out = softmax(q k^T / sqrt(128)) v for each head, over a cache of keys and values in bfloat16. The cache of
// a head is cut into pieces; a warp works on a piece and leaves a partial result, and a second kernel joins the pieces of each head.
constexpr int WIDTH = 128, LANES = WIDTH / 8;  // of a row; lanes that share one, 16 bytes each
constexpr int WARPS = 8;                       // of a block of the first kernel
constexpr int DEPTH = 4;                       // rows of keys, and as many of values, that a lane has on their way
constexpr int GROUPS = 8;                      // of WIDTH threads in a block of the second kernel

// Into how many pieces the cache of each head is cut.
static __device__ int cut(int keys, int heads, int blocks)
{
    int pages = (keys + PAGE - 1) / PAGE;
    return max(1, min((blocks * WARPS + heads) / heads, pages));
}

static __device__ void unpack(float to[8], uint4 from)
{
    const unsigned word[4] = {from.x, from.y, from.z, from.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        to[2 * i] = __uint_as_float(word[i] << 16);
        to[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000u);
    }
}

static __device__ float dot(const float a[8], uint4 row)
{
    float b[8], sum = 0;
    unpack(b, row);
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += a[i] * b[i];
#pragma unroll
    for (int d = LANES / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    return sum;
}

extern "C" __global__ void __launch_bounds__(WARPS * 32) attend(float4 *part, float2 *stats, const float *q, const uint4 *k,
                                                                const uint4 *v, int keys, int heads, int blocks)
{
    int pieces = cut(keys, heads, blocks);
    int half = threadIdx.x % 32 / LANES, lane = threadIdx.x % LANES;

    for (int item = blockIdx.x * WARPS + threadIdx.x / 32; item < heads * pieces; item += blocks * WARPS) {
        int head = item / pieces, piece = item % pieces;
        int begin = (long long)keys * piece / pieces, end = (long long)keys * (piece + 1) / pieces;
        const uint4 *kh = k + (size_t)head * keys * LANES + lane, *vh = v + (size_t)head * keys * LANES + lane;
        float mine[8], acc[8] = {}, top = -1e30f, sum = 0;

#pragma unroll
        for (int i = 0; i < 8; i++)
            mine[i] = q[head * WIDTH + lane * 8 + i] * 0.12751743f;     // log2(e) / sqrt(128)

        for (int first = begin; first < end; first += 2 * DEPTH) {
            uint4 key[DEPTH], value[DEPTH];
            float score[DEPTH], high = top;
#pragma unroll
            for (int i = 0; i < DEPTH; i++) {
                int row = min(first + 2 * i + half, end - 1);
                key[i] = kh[(size_t)row * LANES];
                value[i] = vh[(size_t)row * LANES];
            }
#pragma unroll
            for (int i = 0; i < DEPTH; i++) {
                float s = dot(mine, key[i]);
                score[i] = first + 2 * i + half < end ? s : -2e30f;
                high = fmaxf(high, score[i]);
            }
            float fade = exp2f(top - high);
            top = high;
            sum *= fade;
#pragma unroll
            for (int d = 0; d < 8; d++)
                acc[d] *= fade;
#pragma unroll
            for (int i = 0; i < DEPTH; i++) {
                float p = exp2f(score[i] - top), row[8];
                unpack(row, value[i]);
                sum += p;
#pragma unroll
                for (int d = 0; d < 8; d++)
                    acc[d] += p * row[d];
            }
        }

        // The two halves of the warp had every other row each.
        float high = fmaxf(top, __shfl_xor_sync(~0u, top, LANES)), fade = exp2f(top - high);
        sum *= fade;
        sum += __shfl_xor_sync(~0u, sum, LANES);
#pragma unroll
        for (int d = 0; d < 8; d++) {
            acc[d] *= fade;
            acc[d] += __shfl_xor_sync(~0u, acc[d], LANES);
        }
        part[(size_t)item * (WIDTH / 4) + 2 * lane + half] =
            half ? make_float4(acc[4], acc[5], acc[6], acc[7]) : make_float4(acc[0], acc[1], acc[2], acc[3]);
        if (threadIdx.x % 32 == 0)
            stats[item] = make_float2(high, sum);
    }
}

extern "C" __global__ void __launch_bounds__(GROUPS * WIDTH) join(float *out, const float *part, const float2 *stats, int keys,
                                                                  int heads, int blocks)
{
    __shared__ float high[GROUPS * WIDTH / 32], sums[GROUPS][WIDTH], totals[GROUPS];
    int pieces = cut(keys, heads, blocks), head = blockIdx.x;
    int group = threadIdx.x / WIDTH, d = threadIdx.x % WIDTH;
    float top = -1e30f, sum = 0, total = 0;

    stats += (size_t)head * pieces;
    part += (size_t)head * pieces * WIDTH;
    for (int i = threadIdx.x; i < pieces; i += GROUPS * WIDTH)
        top = fmaxf(top, stats[i].x);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
    if (threadIdx.x % 32 == 0)
        high[threadIdx.x / 32] = top;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < GROUPS * WIDTH / 32; w++)
        top = fmaxf(top, high[w]);

    for (int i = group; i < pieces; i += GROUPS) {
        float weight = exp2f(stats[i].x - top);
        total += weight * stats[i].y;
        sum += weight * part[(size_t)i * WIDTH + d];
    }
    sums[group][d] = sum;
    if (d == 0)
        totals[group] = total;
    __syncthreads();
    if (group == 0) {
        for (int g = 1; g < GROUPS; g++) {
            sum += sums[g][d];
            total += totals[g];
        }
        out[head * WIDTH + d] = sum / total;
    }
}
