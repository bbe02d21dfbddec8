template <typename T, int BLOCK = 256>
__global__ void add(T *out, const T *a, const T *b, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = a[i] + b[i];
}
