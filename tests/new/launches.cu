// Launches, as they are written: plain numbers, names that have one, quotients of what is passed.
#define THREADS 128

__global__ void plain(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
}

__global__ void strides(float *out, const float *in, int n, float scale)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = scale * in[i];
}

__global__ void tiles(float *out, int width, int height)
{
    extern __shared__ float tile[];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tile[threadIdx.x];
}

__global__ void braces(float *out, int n)
{
    if (threadIdx.x < n)
        out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void __launch_bounds__(512) named(float *out, int n)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

__global__ void __launch_bounds__(THREADS) computed(float *out, int n)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

__global__ void too_many(float *out, int n)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

void run(float *a, float *b, int n, cudaStream_t stream)
{
    plain<<<(n + THREADS - 1) / THREADS, THREADS>>>(a, n);
    strides<<<1320, 256u>>>(a, b, n, 0.5f);
    tiles<<<dim3(64, 135), dim3(32, 8), 4096, stream>>>(a, 2048, 1080);
    braces<<<{8}, { 64 }, 0, stream>>>(a, n);
    named<<<n / 512, n > 9 ? 512 : 32>>>(a, n);
    computed<<<dim3(n / 128), dim3(4 * 32)>>>(a, n);
    too_many<<<0, 2048>>>(a, n);
}
