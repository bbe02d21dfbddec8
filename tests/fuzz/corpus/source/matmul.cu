const int TILE = 16;
__global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < K; t += TILE) {
        a[threadIdx.y][threadIdx.x] = A[row * K + t + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
void run(float *a, float *b, float *c, int n)
{
    dim3 threads(TILE, TILE);
    matmul<<<dim3(n / TILE, n / TILE), threads>>>(a, b, c, n, n, n);
}
