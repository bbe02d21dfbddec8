// Contents of buffers, reproducible from (seed, element): the same on every GPU and grid.
//
// wd_fill  element i of a buffer of type `type` (enum elem_type) by `kind` (enum fill_kind):
//          zeros; constant a; ramp a + b * i; uniform [a, b); normal with mean a and deviation b;
//          permutation of 0 .. count-1; hot: whole numbers below a, 0 with probability b, else
//          any of the others; zipf: whole numbers below a, k with a weight of about (k + 1.5)^-b
//
// Uniform floats have 24 random bits (f64: 53), so f32 values are exact and never equal b.
// Integers take the floor of the real value.

enum { F64, F32, F16, BF16, E4M3, E5M2, I64, I32, U32, I8, U8 };
enum { ZEROS, CONSTANT, RAMP, UNIFORM, NORMAL, PERMUTATION, HOT, ZIPF };

static __device__ unsigned long long mix(unsigned long long x) // splitmix64's finaliser
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static __device__ double unit(unsigned long long bits, int type)
{
    return type == F64 || type == I64 ? (bits >> 11) * 0x1p-53 : (bits >> 40) * 0x1p-24;
}

// Where i goes in a shuffle of 0 .. count-1: a four-round Feistel network permutes the next power of
// four, and is applied again until the result is below count (at most four times on average).
static __device__ unsigned long long shuffled(unsigned long long i, unsigned long long count, unsigned long long seed)
{
    int half = 1;
    while (half < 32 && 1ull << (2 * half) < count)
        half++;
    unsigned long long mask = (1ull << half) - 1;
    do {
        unsigned long long left = i >> half, right = i & mask;
        for (int round = 0; round < 4; round++) {
            unsigned long long next = left ^ (mix(seed + (right << 3) + round) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

// The continuous power law on [1, a + 1), cut down to whole numbers from 0.
static __device__ double zipf(double u, double a, double b)
{
    double x = fabs(b - 1) < 1e-9 ? pow(a + 1, u) : pow(1 + u * (pow(a + 1, 1 - b) - 1), 1 / (1 - b));
    return fmin(floor(x) - 1, a - 1);
}

static __device__ double value(unsigned long long i, unsigned long long count, int type, int kind, double a, double b,
                               unsigned long long seed)
{
    unsigned long long bits = mix(seed + 0x9e3779b97f4a7c15ull * (i + 1));
    switch (kind) {
    case CONSTANT: return a;
    case RAMP: return a + b * (double)i;
    case UNIFORM: return a + (b - a) * unit(bits, type);
    case NORMAL: { // Box-Muller
        double u = 1.0 - unit(bits, F64), v = unit(mix(bits + 1), F64);
        return a + b * sqrt(-2.0 * log(u)) * cospi(2.0 * v);
    }
    case PERMUTATION: return (double)shuffled(i, count, seed);
    case HOT: return a < 2 || unit(bits, F64) < b ? 0 : 1 + floor((a - 1) * unit(mix(bits + 1), F64));
    case ZIPF: return zipf(unit(bits, F64), a, b);
    default: return 0.0;
    }
}

static __device__ unsigned short half_bits(float x)
{
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

static __device__ unsigned short bfloat_bits(float x) // round to nearest even; x is finite
{
    unsigned bits = __float_as_uint(x);
    return (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
}

// FP8: so many bits of fraction, nearest even; what is beyond `most` becomes it.
static __device__ unsigned char small_bits(float x, int fraction, int bias, float most)
{
    float size = fminf(fabsf(x), most);
    unsigned sign = x < 0 ? 0x80 : 0, bits = __float_as_uint(size), drop = 23 - fraction;
    if (size < ldexpf(1, 1 - bias)) // such numbers are multiples of the least one
        return sign | (unsigned)rintf(ldexpf(size, bias - 1 + fraction));
    bits += (1u << (drop - 1)) - 1 + (bits >> drop & 1);
    return sign | ((bits >> drop) - ((127 - bias) << fraction));
}

static __device__ void store(void *p, unsigned long long i, int type, double v)
{
    switch (type) {
    case F64: ((double *)p)[i] = v; break;
    case F32: ((float *)p)[i] = (float)v; break;
    case F16: ((unsigned short *)p)[i] = half_bits((float)v); break;
    case BF16: ((unsigned short *)p)[i] = bfloat_bits((float)v); break;
    case E4M3: ((unsigned char *)p)[i] = small_bits((float)v, 3, 7, 448); break;
    case E5M2: ((unsigned char *)p)[i] = small_bits((float)v, 2, 15, 57344); break;
    case I64: ((long long *)p)[i] = (long long)floor(v); break;
    case I32: ((int *)p)[i] = (int)floor(v); break;
    case U32: ((unsigned *)p)[i] = (unsigned)(long long)floor(v); break;
    case I8: ((signed char *)p)[i] = (signed char)(int)floor(v); break;
    default: ((unsigned char *)p)[i] = (unsigned char)(int)floor(v); break;
    }
}

extern "C" __global__ void wd_fill(void *p, unsigned long long count, int type, int kind, double a, double b,
                                   unsigned long long seed)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count; i += step)
        store(p, i, type, value(i, count, type, kind, a, b, seed));
}
