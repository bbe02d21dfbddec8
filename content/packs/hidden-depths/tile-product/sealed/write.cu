// Sums in float. Beyond a tile for each block nobody beats the tensor cores without them: mma.sync by inline
// PTX.
typedef unsigned short half;

extern "C" __global__ void product(float *c, const half *a, const half *b, int n)
{
    // c = a b^T: rows of a and of b are LENGTH halves long, a row of c has n floats; whole tiles of 128 by 256.
    // extern __shared__ has the launch's bytes; STAGES is how many tiles of a ring they hold
}
