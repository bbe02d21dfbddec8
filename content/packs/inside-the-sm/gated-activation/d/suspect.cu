// y = GELU(x + bias) * gate in bfloat16, two channels a thread. x has items x tokens x channels elements, bias a value for
// each channel, gate one for each item and channel. A block owns ROWS tokens of one item.
constexpr int THREADS = 256, ROWS = 8;

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

static __device__ float tanh_of(float x)
{
    float e = __expf(2 * x);
    return __fdividef(e - 1, e + 1);
}

static __device__ float activate(float x)
{
    if (ACTIVATION == 2)                        // 1: GELU, 2: none
        return x;
    float cube = 0.044715f * x * x * x;
    float inner = 0.7978845608f * (x + cube);
    return 0.5f * x * (1.0f + tanh_of(inner));
}

extern "C" __global__ void gated(unsigned *out, const unsigned *in, const unsigned *bias, const unsigned *gate, int tokens, int channels)
{
    int pairs = channels / 2, row = blockIdx.x * ROWS;
    const unsigned *x = in + (size_t)row * pairs, *scale = gate + (size_t)(row / tokens) * pairs;
    unsigned *y = out + (size_t)row * pairs;

    for (int c = threadIdx.x; c < pairs; c += THREADS) {
        float2 b = unpack(bias[c]), g = unpack(scale[c]);
        unsigned v[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            v[r] = x[(size_t)r * pairs + c];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float2 e = unpack(v[r]);
            y[(size_t)r * pairs + c] = pack(activate(e.x + b.x) * g.x, activate(e.y + b.y) * g.y);
        }
    }
}
