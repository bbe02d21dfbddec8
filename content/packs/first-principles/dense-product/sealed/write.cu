// c = a b, all of them by rows: a has m rows of k elements, b has k rows of n.
extern "C" __global__ void product(float *c, const float *a, const float *b, int m, int n, int k)
{
}
