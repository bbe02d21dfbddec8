// Eight channels a thread, so that a lane moves 16 bytes, and four tokens on their way. A word holds two channels. Where a buffer
// does not begin on 16 bytes, the same words go one by one.
constexpr int THREADS = 128, ROWS = 4, WORDS = 4;

struct alignas(16) piece {
    unsigned word[WORDS];
};

static __device__ piece load(const unsigned *from, bool whole)
{
    piece v;
    if (whole)
        return *(const piece *)from;
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        v.word[w] = from[w];
    return v;
}

static __device__ void store(unsigned *to, piece v, bool whole)
{
    if (whole) {
        *(piece *)to = v;
        return;
    }
#pragma unroll
    for (int w = 0; w < WORDS; w++)
        to[w] = v.word[w];
}

static __device__ float2 unpack(unsigned v)
{
    return make_float2(__uint_as_float(v << 16), __uint_as_float(v & 0xffff0000u));
}

static __device__ unsigned pack(float low, float high)
{
    unsigned v;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(v) : "f"(high), "f"(low));
    return v;
}

static __device__ float activate(float x, float scale)
{
    if (ACTIVATION == 2)
        return x * scale;
    float t, half = 0.5f * x * scale;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(x * (0.7978845608f + 0.0356774081f * x * x)));
    return half + half * t;
}

extern "C" __global__ void gated(unsigned *out, const unsigned *in, const unsigned *bias, const unsigned *gate, int tokens, int channels)
{
    int words = channels / 2, row = blockIdx.x * ROWS;
    const unsigned *x = in + (size_t)row * words, *scale = gate + (size_t)(row / tokens) * words;
    unsigned *y = out + (size_t)row * words;
    bool whole = (((size_t)in | (size_t)out | (size_t)bias | (size_t)gate) & 15) == 0;

    for (int c = threadIdx.x * WORDS; c < words; c += THREADS * WORDS) {
        piece v[ROWS], b = load(bias + c, whole), g = load(scale + c, whole);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            v[r] = load(x + (size_t)r * words + c, whole);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int w = 0; w < WORDS; w++) {
                float2 e = unpack(v[r].word[w]), d = unpack(b.word[w]), s = unpack(g.word[w]);
                v[r].word[w] = pack(activate(e.x + d.x, s.x), activate(e.y + d.y, s.y));
            }
            store(y + (size_t)r * words + c, v[r], whole);
        }
    }
}
