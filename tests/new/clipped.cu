// Gradients, clipped by their norm: two launches, a copy and a read.
#include <cuda_runtime.h>

__global__ void sum_squares(float *total, const float *grad, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += grad[i] * grad[i];
    atomicAdd(total, sum);
}

__global__ void scale(float *grad, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        grad[i] *= factor;
}

void clip(float *grad, float *total, int n, cudaStream_t stream)
{
    float norm;
    cudaMemsetAsync(total, 0, sizeof(float), stream);
    sum_squares<<<1024, 256, 0, stream>>>(total, grad, n);
    cudaMemcpy(&norm, total, sizeof(float), cudaMemcpyDeviceToHost);
    scale<<<(n + 255) / 256, 256, 0, stream>>>(grad, norm > 1 ? 1 / norm : 1, n);
}

int main()
{
    const int n = 1 << 24;
    float *grad, *total;
    cudaMalloc(&grad, n * sizeof(float));
    cudaMalloc((void **)&total, sizeof(float));
    clip(grad, total, n, 0);
}
