/* The step in double precision, one launch for each of its three parts. What goes from one to the next is rounded to half
 * precision, as it is on its way through memory. */
static __device__ double number(unsigned short h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}

static __device__ unsigned short half_of(double x)
{
    unsigned short h;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
    return h;
}

extern "C" __global__ void normed_of(unsigned short *hidden, const unsigned short *x, const unsigned short *gain, int model)
{
    __shared__ double part[256];
    const unsigned short *row = x + (size_t)blockIdx.x * model;
    double sum = 0;
    for (int i = threadIdx.x; i < model; i += 256)
        sum += number(row[i]) * number(row[i]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    double scale = 1 / sqrt(part[0] / model + 1e-5);
    for (int i = threadIdx.x; i < model; i += 256)
        hidden[(size_t)blockIdx.x * model + i] = half_of(number(row[i]) * scale * number(gain[i]));
}

extern "C" __global__ void gate_of(unsigned short *inner, const unsigned short *hidden, const unsigned short *gate,
                                   const unsigned short *up, int m, int n, int k)
{
    __shared__ double xs[16][17], gs[16][17], us[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    double first = 0, second = 0;
    for (int t = 0; t < k; t += 16) {
        size_t at = (size_t)(t + y) * n + col;
        bool inside = t + y < k && col < n;
        xs[y][x] = row < m && t + x < k ? number(hidden[(size_t)row * k + t + x]) : 0;
        gs[y][x] = inside ? number(gate[at]) : 0;
        us[y][x] = inside ? number(up[at]) : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            first += xs[y][i] * gs[i][x];
            second += xs[y][i] * us[i][x];
        }
        __syncthreads();
    }
    if (row < m && col < n)
        inner[(size_t)row * n + col] = half_of(first / (1 + exp(-first)) * second);
}

extern "C" __global__ void back(double *out, const unsigned short *inner, const unsigned short *down, const unsigned short *x,
                                int m, int n, int k)
{
    __shared__ double as[16][17], bs[16][17];
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int t = 0; t < k; t += 16) {
        as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? number(inner[(size_t)row * k + t + threadIdx.x]) : 0;
        bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < k && col < n ? number(down[(size_t)(t + threadIdx.y) * n + col]) : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        out[(size_t)row * n + col] = sum + number(x[(size_t)row * n + col]);
}
