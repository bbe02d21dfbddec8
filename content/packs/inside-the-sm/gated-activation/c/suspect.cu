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
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(x));
    return t;
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
    long long width = channels, pairs = ROWS * width / 2, first = blockIdx.x * pairs;

    for (long long p = first + threadIdx.x; p < first + pairs; p += ROWS * THREADS) {
        unsigned v[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            v[r] = p + r * THREADS < first + pairs ? in[p + r * THREADS] : 0;
#pragma unroll
        for (int r = 0; r < ROWS && p + r * THREADS < first + pairs; r++) {
            long long at = 2 * (p + r * THREADS), channel = at % width, item = at / width / tokens;
            float2 e = unpack(v[r]), b = unpack(bias[channel / 2]), g = unpack(gate[(item * width + channel) / 2]);
            out[at / 2] = pack(activate(e.x + b.x) * g.x, activate(e.y + b.y) * g.y);
        }
    }
}
