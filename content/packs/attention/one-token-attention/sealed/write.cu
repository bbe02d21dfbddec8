// Two launches, one behind the other. Keys and values are read once at best: the roof is the rate of a read.
extern "C" __global__ void attend(float *part, float2 *stats, const float *q, const uint4 *k, const uint4 *v, int keys, int heads,
                                  int blocks)
{
    // pieces of the caches: rows of 128 bfloat16, `keys` of them for each head; part and stats are workspace
}

extern "C" __global__ void join(float *out, const float *part, const float2 *stats, int keys, int heads, int blocks)
{
    // out = softmax(q k^T / sqrt(128)) v for each head, from what the first kernel left
}
