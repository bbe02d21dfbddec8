// Falling drops with quadratic drag. Cut out of our spray solver, where this took most of a frame.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                     \
    if (cudaError_t e = (call)) {                                       \
        printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
        return 1;                                                       \
    }

constexpr float G = 9.81f;

// One thread a drop. FIXME: slow since the constants came out of the config file.
__global__ void fall(float *v_out, const float *v_in, float dt, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = v_in[i];
    for (int s = 0; s < steps; s++)
        v += dt * (G - 0.25 * v * v);
    v_out[i] = v;
}

int main()
{
    int n = 1 << 26, steps = 64;
    std::vector<float> v(n, 0.5f);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, v.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    fall<<<(n + 255) / 256, 256>>>(out, in, 0.01f, n, steps);
    CHECK(cudaDeviceSynchronize());
}
