// Numbers with quotes, '1'000' in a comment.
#define MASK 0xff'ffu
constexpr double PI = 3.141'592'6;
__device__ const char letters[] = {'a', u8'1', '2'};

__global__ void squares(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, most = 1'000'000;
    if (i < n && i < most)
        out[i] = (i & MASK) * (float)PI + letters[i % 3] + 1'0.5f;
}

void run(float *out)
{
    squares<<<4'096, 1'28>>>(out, 500'000);
}
