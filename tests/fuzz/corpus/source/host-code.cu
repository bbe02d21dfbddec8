/* A whole program, as it lay about. */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x)                                                                        \
    do {                                                                                \
        cudaError_t e = (x);                                                            \
        if (e != cudaSuccess) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)
#define BLOCK 128

using namespace std;

static std::vector<float> host_rows;
constexpr float LOG2E = 1.4426950408889634f; // kept: the kernel uses it
static int verbose = 0;

__device__ __forceinline__ float widest(float a, float b)
{
    return a > b ? a : b;
}

// Each thread walks down its own row.
static __global__ void __launch_bounds__(BLOCK) softmax_rows(float *__restrict__ out, const float *__restrict__ in, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const float *x = in + (size_t)row * cols;
    float top = -FLT_MAX;
    for (int k = 0; k < cols; k++)
        top = widest(top, x[k]);
    float sum = 0.0f;
    for (int k = 0; k < cols; k++)
        sum += exp2f((x[k] - top) * LOG2E); /* "quoted {" and 'c' */
    for (int k = 0; k < cols; k++)
        out[(size_t)row * cols + k] = exp2f((x[k] - top) * LOG2E) / sum;
}

// What it should be compared with.
static void softmax_cpu(float *out, const float *in, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < cols; k++)
            out[r * cols + k] = in[r * cols + k];
}

int main(int argc, char **argv)
{
    int rows = 4096, cols = 1024;
    float *in, *out;
    CHECK(cudaMalloc(&in, sizeof(float) * rows * cols));
    CHECK(cudaMalloc(&out, sizeof(float) * rows * cols));
    dim3 block(BLOCK), grid((rows + BLOCK - 1) / BLOCK);
    softmax_rows<<<grid, block>>>(out, in, rows, cols);
    CHECK(cudaDeviceSynchronize());
    softmax_cpu(nullptr, nullptr, 0, 0);
    printf("%d\n", verbose);
    return 0;
}
