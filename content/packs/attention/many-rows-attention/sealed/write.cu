// Blocks have 128 queries of a head each. Arithmetic is the roof, if scores stay on the chip.
extern "C" __global__ void attention(float *out, const float *q, const float *k, const float *v, float *scratch, int length)
{
    // out = softmax(q k^T / 8) v for heads of 64 floats, `length` queries and as many keys each, any length.
    // Tensor cores may multiply in TF32. scratch has room for all scores, to be used or not;
    // extern __shared__ has the launch's bytes, room for KEYS rows of k and of v
}
