// Attention of one new token: out = softmax(q k^T / sqrt(128)) v for each head, over a cache of keys and values in bfloat16. A block works
// on a piece of a head's cache, joins what its warps found in shared memory and leaves one partial result; a second kernel joins those.
constexpr int WIDTH = 128, LANES = WIDTH / 8;  // of a row; lanes that share one, 16 bytes each
constexpr int WARPS = 8;
constexpr int DEPTH = 4;                       // rows of keys, and as many of values, that a lane has on their way

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

extern "C" __global__ void __launch_bounds__(WARPS * 32) attend(float *part, float2 *stats, const float *q, const uint4 *k,
                                                                const uint4 *v, int keys)
{
    constexpr int STREAMS = 2 * WARPS;         // half warps
    __shared__ float rows[STREAMS][WIDTH], tops[STREAMS], sums[STREAMS];
    int pieces = gridDim.x, piece = blockIdx.x, head = blockIdx.y;
    int stream = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int begin = (long long)keys * piece / pieces, end = (long long)keys * (piece + 1) / pieces;
    const uint4 *kh = k + (size_t)head * keys * LANES + lane, *vh = v + (size_t)head * keys * LANES + lane;
    float mine[8], acc[8] = {}, top = -1e30f, sum = 0;

#pragma unroll
    for (int i = 0; i < 8; i++)
        mine[i] = q[head * WIDTH + lane * 8 + i] * 0.12751743f;         // log2(e) / sqrt(128)

    for (int first = begin; first < end; first += STREAMS * DEPTH) {
        uint4 key[DEPTH], value[DEPTH];
        float score[DEPTH], high = top;
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            int row = min(first + STREAMS * i + stream, end - 1);
            key[i] = kh[(size_t)row * LANES];
            value[i] = vh[(size_t)row * LANES];
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float s = dot(mine, key[i]);
            score[i] = first + STREAMS * i + stream < end ? s : -2e30f;
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

#pragma unroll
    for (int d = 0; d < 8; d++)
        rows[stream][lane * 8 + d] = acc[d];
    if (lane == 0) {
        tops[stream] = top;
        sums[stream] = sum;
    }
    __syncthreads();
    if (threadIdx.x < WIDTH) {
        float joined = 0, total = 0;
        top = -1e30f;
        for (int s = 0; s < STREAMS; s++)
            top = fmaxf(top, tops[s]);
        for (int s = 0; s < STREAMS; s++) {
            float weight = exp2f(tops[s] - top);
            joined += weight * rows[s][threadIdx.x];
            total += weight * sums[s];
        }
        part[((size_t)head * pieces + piece) * WIDTH + threadIdx.x] = joined;
        if (threadIdx.x == 0)
            stats[(size_t)head * pieces + piece] = make_float2(top, total);
    }
}

extern "C" __global__ void __launch_bounds__(WIDTH) join(float *out, const float *part, const float2 *stats, int pieces)
{
    float top = -1e30f, sum = 0, total = 0;
    stats += (size_t)blockIdx.x * pieces;
    part += (size_t)blockIdx.x * pieces * WIDTH + threadIdx.x;
#pragma unroll 8
    for (int i = 0; i < pieces; i++)
        top = fmaxf(top, stats[i].x);
#pragma unroll 8
    for (int i = 0; i < pieces; i++) {
        float weight = exp2f(stats[i].x - top);
        total += weight * stats[i].y;
        sum += weight * part[(size_t)i * WIDTH];
    }
    out[blockIdx.x * WIDTH + threadIdx.x] = sum / total;
}
