// Two kernels in a loop, with what the host does around them.
#include <cuda_runtime.h>

__global__ void twice(float *out, const float *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * in[i]; }
__global__ void plus(float *out, const float *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] + 1; }

int main()
{
    int n = 1 << 20;
    float *in, *mid, *out, *frame, *result = new float[n];
    cudaStream_t side;
    cudaStreamCreate(&side);
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&mid, n * sizeof(float));
    cudaMallocHost((void **)&frame, n * sizeof(float));
    for (int t = 0; t < 100; t++) {
        cudaMemcpyAsync(in, frame, n * sizeof(float), cudaMemcpyHostToDevice, side);
        twice<<<(n + 255) / 256, 256, 0, side>>>(mid, in, n);
        cudaMemsetAsync(out, 0, n * sizeof(float), side);
        cudaMemcpyAsync(out, mid, n * sizeof(float), cudaMemcpyDeviceToDevice, side);
        plus<<<(n + 255) / 256, 256>>>(out, mid, n);
        cudaStreamSynchronize(side);
        cudaMemcpy(result, out, n * sizeof(float), cudaMemcpyDeviceToHost);
    }
}
