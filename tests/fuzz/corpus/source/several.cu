#include <cuda_runtime.h>
#pragma once

__global__ void scale(float *x, float a, int n);

extern "C" {
// First.
__global__ void scale(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = a * x[i];
}

// Second.
__global__ void histogram(int *bins, const unsigned char *keys, long long n)
{
    __shared__ int mine[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        atomicAdd(&mine[keys[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        atomicAdd(&bins[k], mine[k]);
}
}
