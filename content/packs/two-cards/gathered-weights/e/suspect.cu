static __device__ float widen(unsigned short v)
{
    return __uint_as_float((unsigned)v << 16);
}

// One layer: each number of the gathered weights, and what it does to each of the tokens. The two
// cards' parts of them lie one behind the other, `each` numbers apart. A thread takes one of each.
extern "C" __global__ void __launch_bounds__(1024) layer(float *__restrict__ out, const unsigned short *__restrict__ w, const float *__restrict__ acts, int part, int layer, int each, int first)
{
    int half = part / 2;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
        float v = widen(w[first + i]), u = widen(w[first + each + i]), a = 0, b = 0;
#pragma unroll
        for (int t = 0; t < TOKENS; t++) {
            a += fmaxf(v * acts[(long long)t * part + i], 0.0f);
            b += fmaxf(u * acts[(long long)t * part + half + i], 0.0f);
        }
        out[(long long)layer * part + i] = a;
        out[(long long)layer * part + half + i] = b;
    }
}
