#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#define THREADS (4 * 32)
static const int HEIGHT = 1080, WIDTH = 2 * (HEIGHT - 120);
constexpr double TENTH = 1.0 / 10;
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

__global__ void frame(float *out, const float *in, int width, int height, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        reinterpret_cast<float4 *>(out)[y * pitch + x] = *reinterpret_cast<const float4 *>(&in[y * pitch + x]);
}

__global__ void cube(float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < nx)
        out[x] = ny + nz;
}

__global__ void unknown(float *z, int n, int steps, float scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = scale * z[i] + steps;
}

void many(float *z, int n, int threads, float scale)
{
    unknown<<<(n + threads - 1) / threads, threads>>>(z, n, n / 2, scale);
}

int main(int argc, char **argv)
{
    int N = 1 << 20, stride = N, steps = 5, grown = 7;
    float *x, *z, b = 0.5f, h[9] = {0.25f};
    float4 *y;
    cudaMemcpyToSymbol(taps, h, sizeof h);
    const dim3 t(THREADS);
    dim3 g((N + t.x - 1) / t.x);
    fir<<<g, t, 48 * 1024>>>(y, x, N, 3*7, 2.0f/127.5f, b, -0.5f, false, (size_t)stride, -3, TENTH);
    dim3 tile(32, 8), tiles(wd_ceildiv(WIDTH, 32), 135);
    frame<<<tiles, tile>>>(x, z, WIDTH, HEIGHT, 2048);
    cube<<<dim3(1), dim3{128}>>>(x, 3 * 0x20, 100'0 / 10 % 64, 32u);
    for (steps = 1; steps < grown; grown++)
        many(z, N, 256, 1.0f);
    return 0;
}
