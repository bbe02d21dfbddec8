// A copy: each warp moves pieces of 512 bytes, and each thread has four of its vectors under way before it writes the first.
//
// Tried on an H200, see write.yaml: single floats, one vector a thread, two, four, eight, and hints that the lines are not used again.
constexpr int DEEP = 4;         // vectors that a thread loads before it writes one

extern "C" __global__ void __launch_bounds__(256) copy(float *out, const float *in, long long n)
{
    long long first = blockIdx.x * (long long)(DEEP * 256) + threadIdx.x, vectors = n / 4;
    bool apart = ((unsigned long long)out | (unsigned long long)in) % 16;       // no vector may lie there
    if (!apart && first + (DEEP - 1) * 256 < vectors) {
        float4 v[DEEP];
#pragma unroll
        for (int i = 0; i < DEEP; i++)
            v[i] = __ldcs((const float4 *)in + first + i * 256);
#pragma unroll
        for (int i = 0; i < DEEP; i++)
            __stcs((float4 *)out + first + i * 256, v[i]);
        return;
    }
    for (int i = 0; i < DEEP; i++)                      // the end, and bases between two vectors
        for (long long k = 4 * (first + i * 256), end = min(k + 4, n); k < end; k++)
            out[k] = in[k];
}
