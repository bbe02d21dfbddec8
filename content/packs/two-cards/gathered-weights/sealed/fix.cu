// One layer: each number of the gathered weights, and what it does to each of the tokens. The two
// cards' parts of them lie one behind the other, `each` numbers apart.
extern "C" __global__ void layer(float *out, const unsigned short *w, const float *acts, int part, int layer, int each, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, half = part / 2;
    int at = i < half ? first + i : first + each + i - half;
    float v = __uint_as_float((unsigned)w[at] << 16), sum = 0;
    for (int t = 0; t < TOKENS; t++)
        sum += fmaxf(v * acts[(long long)t * part + i], 0.0f);
    out[(long long)layer * part + i] = sum;
}
