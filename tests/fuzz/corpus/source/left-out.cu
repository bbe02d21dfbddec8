#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
__constant__ float taps[9];

struct Config { int rows; float scale; };
struct Inner { int a; };
struct Outer { Inner inner; };
struct Used { float x; };

__global__ void fir(float4 *y, const float *x, int n, int k, float scale, float b, float shift, bool flip, size_t stride, int offset, double eps)
{
    extern __shared__ float line[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Used u;
    u.x = x[i];
    float4 v = make_float4(u.x, taps[0], scale, shift);
    v.y += b;
    y[i] = v;
}

int main()
{
    float *x, h[9] = {0.25f};
    float4 *y;
    cudaMemcpyToSymbol(taps, h, sizeof h);
    fir<<<1 << 13, 4 * 32, 48 * 1024>>>(y, x, 1 << 20, 21, 0.5f, 0.5f, -0.5f, false, 1024, -3, 0.1);
    return 0;
}
