// A row's K largest elements, the largest first.
constexpr int K = 32;

extern "C" __global__ void largest(float *out, const float *in, int rows, int cols)
{
}
