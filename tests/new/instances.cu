// Rows, normed and turned by a half.
#include <cuda_bf16.h>

namespace {

constexpr int kDim = 128;
constexpr float kEps = 1e-6f;

// One block for each row.
template <typename T, int DIM, bool TURNED = false>
__global__ void __launch_bounds__(DIM) norm_rows(T *out, const T *in, int rows, float eps)
{
    __shared__ float row[DIM];
    const int half = DIM / 2, d = threadIdx.x;
    row[d] = (float)in[(size_t)blockIdx.x * DIM + d] + eps;
    __syncthreads();
    out[(size_t)blockIdx.x * DIM + d] = (T)row[TURNED ? (d + half) % DIM : d];
}

} // namespace

struct Job {
    float *out;
    const float *in;
    int rows, copies;
};

void launch(const Job &a, int dim, cudaStream_t stream)
{
    const int blocks = a.rows;
    if (dim == kDim)
        norm_rows<float, kDim>
            <<<blocks, kDim, 0, stream>>>(a.out, a.in, a.rows, kEps);
    else
        norm_rows<float, 64, true><<<a.rows, 64, 0, stream>>>(a.out, a.in, a.rows, kEps);
}
