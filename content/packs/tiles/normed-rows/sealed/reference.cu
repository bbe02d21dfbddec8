static __device__ double number(unsigned short h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}

extern "C" __global__ void reference(double *out, const unsigned short *x, const unsigned short *weight, int cols)
{
    __shared__ double part[256];
    const unsigned short *row = x + (size_t)blockIdx.x * cols;
    double sum = 0;
    for (int i = threadIdx.x; i < cols; i += 256)
        sum += number(row[i]) * number(row[i]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    double scale = 1 / sqrt(part[0] / cols + 1e-5);
    for (int i = threadIdx.x; i < cols; i += 256)
        out[(size_t)blockIdx.x * cols + i] = number(row[i]) * scale * number(weight[i]);
}
