// Correctness on the device: nothing but counts and at most 16 elements leaves the GPU.
//
// wd_compare  x (of xtype) against the truth r (of rtype, usually f64), element by element.
//             exact: x equals r rounded to xtype. relative: |x - r| <= rel * |r| + abs.
//             A value that is not finite is right only where the truth is the same: NaN for NaN,
//             infinity of the same sign.
//             out[0] wrong, out[1] largest |x - r| as the bits of a double, out[2] lowest wrong
//             index >= from, out[3] wrong because not finite. Host sets out[2] to ~0, the rest to 0.
// wd_spread   two results of one kernel, element by element. out[0] elements whose bits differ, out[1]
//             largest distance in units of the last place (integers: plain distance), out[2] pairs of
//             which one is NaN, out[3] lowest index >= from whose bits differ; set as above
// wd_hash     out[0] += sum of mix(index, word) over n words of 4 bytes: independent of order

enum { F64, F32, F16, BF16, E4M3, E5M2, I64, I32, U32, I8, U8 };

static __device__ float from_half(unsigned short h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}

static __device__ float from_e4m3(unsigned char b)
{
    int exponent = b >> 3 & 15, fraction = b & 7;
    float size = exponent ? ldexpf(8 + fraction, exponent - 10) : ldexpf(fraction, -9);
    if ((b & 127) == 127)
        return __uint_as_float(0x7fffffff);
    return b >> 7 ? -size : size;
}

static __device__ double load(const void *p, unsigned long long i, int type)
{
    switch (type) {
    case F64: return ((const double *)p)[i];
    case F32: return ((const float *)p)[i];
    case F16: return from_half(((const unsigned short *)p)[i]);
    case BF16: return __uint_as_float((unsigned)((const unsigned short *)p)[i] << 16);
    case E4M3: return from_e4m3(((const unsigned char *)p)[i]);
    case E5M2: return from_half(((const unsigned char *)p)[i] << 8);
    case I64: return (double)((const long long *)p)[i];
    case I32: return ((const int *)p)[i];
    case U32: return ((const unsigned *)p)[i];
    case I8: return ((const signed char *)p)[i];
    default: return ((const unsigned char *)p)[i];
    }
}

// Rounds to odd first, so that the second rounding, to fewer bits, cannot go wrong.
static __device__ float odd_float(double r)
{
    float f = __double2float_rz(r);
    if ((double)f != r && isfinite(r))
        f = __uint_as_float(__float_as_uint(f) | 1);
    return f;
}

// FP8, as wd_fill makes it: what is beyond `most` becomes it.
static __device__ double small(double r, int fraction, int bias, double most)
{
    double unit = ldexp(1.0, max(ilogb(r), 1 - bias) - fraction);
    double near = fmin(rint(fabs(r) / unit) * unit, most);
    return r < 0 ? -near : near;
}

static __device__ double rounded(double r, int type)
{
    if (!isfinite(r))
        return r;
    switch (type) {
    case F64: return r;
    case F32: return (float)r;
    case F16: {
        unsigned short h;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(odd_float(r)));
        return from_half(h);
    }
    case BF16: {
        unsigned bits = __float_as_uint(odd_float(r));
        return __uint_as_float((bits + 0x7fffu + ((bits >> 16) & 1)) & 0xffff0000u);
    }
    case E4M3: return small(r, 3, 7, 448);
    case E5M2: return small(r, 2, 15, 57344);
    default: return rint(r);
    }
}

extern "C" __global__ void wd_compare(const void *x, int xtype, const void *r, int rtype, unsigned long long count,
                                      int exact, double rel, double abs, unsigned long long from,
                                      unsigned long long *out)
{
    unsigned long long wrong = 0, broken = 0, first = ~0ull, step = (unsigned long long)gridDim.x * blockDim.x;
    double worst = 0;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count; i += step) {
        double got = load(x, i, xtype), want = load(r, i, rtype);
        if (exact)
            want = rounded(want, xtype);
        bool bad;
        if (!isfinite(got) || !isfinite(want)) {
            bad = !(got == want || (isnan(got) && isnan(want)));
            broken += bad && !isfinite(got);
        } else {
            double error = fabs(got - want);
            worst = fmax(worst, error);
            bad = exact ? got != want : !(error <= rel * fabs(want) + abs);
        }
        wrong += bad;
        if (bad && i >= from && i < first)
            first = i;
    }
    if (wrong)
        atomicAdd(&out[0], wrong);
    if (worst > 0)
        atomicMax(&out[1], (unsigned long long)__double_as_longlong(worst)); // bits order as values do
    if (first != ~0ull)
        atomicMin(&out[2], first);
    if (broken)
        atomicAdd(&out[3], broken);
}

// Bits in the order of values: neighbours differ by one, -0 and +0 by none.
static __device__ long long ordered(unsigned long long bits, int width)
{
    unsigned long long sign = 1ull << (width - 1);
    return bits & sign ? -(long long)(bits & (sign - 1)) : (long long)bits;
}

static __device__ unsigned long long bits_at(const void *p, unsigned long long i, int type)
{
    switch (type) {
    case F64: case I64: return ((const unsigned long long *)p)[i];
    case F32: case I32: case U32: return ((const unsigned *)p)[i];
    case F16: case BF16: return ((const unsigned short *)p)[i];
    default: return ((const unsigned char *)p)[i];
    }
}

static __device__ long long place(unsigned long long bits, int type)
{
    switch (type) {
    case F64: return ordered(bits, 64);
    case F32: return ordered(bits, 32);
    case F16: case BF16: return ordered(bits, 16);
    case E4M3: case E5M2: return ordered(bits, 8);
    case I32: return (int)bits;
    case I8: return (signed char)bits;
    default: return (long long)bits;
    }
}

extern "C" __global__ void wd_spread(const void *a, const void *b, int type, unsigned long long count,
                                     unsigned long long from, unsigned long long *out)
{
    unsigned long long n = 0, widest = 0, odd = 0, first = ~0ull, step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < count; i += step) {
        unsigned long long x = bits_at(a, i, type), y = bits_at(b, i, type);
        if (x == y)
            continue;
        n++;
        if (i >= from && i < first)
            first = i;
        bool nan_x = isnan(load(a, i, type)), nan_y = isnan(load(b, i, type));
        odd += nan_x != nan_y;
        if (nan_x || nan_y)
            continue;
        long long p = place(x, type), q = place(y, type);
        unsigned long long distance = p > q ? (unsigned long long)p - q : (unsigned long long)q - p;
        widest = distance > widest ? distance : widest;
    }
    if (n)
        atomicAdd(&out[0], n);
    if (widest)
        atomicMax(&out[1], widest);
    if (odd)
        atomicAdd(&out[2], odd);
    if (first != ~0ull)
        atomicMin(&out[3], first);
}

static __device__ unsigned long long mix(unsigned long long x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// A buffer that was moved up may begin at any byte.
static __device__ unsigned word_at(const unsigned char *p, unsigned long long i)
{
    if (((unsigned long long)p & 3) == 0)
        return ((const unsigned *)p)[i];
    p += 4 * i;
    return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

extern "C" __global__ void wd_hash(const unsigned char *p, unsigned long long n, unsigned long long *out)
{
    unsigned long long sum = 0, step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += step)
        sum += mix((i << 32 | word_at(p, i)) + 0x9e3779b97f4a7c15ull);
    atomicAdd(out, sum);
}
