// The highest score that any of the queries gives to each key. Keys lie with one dimension after the
// other; a thread has one of them, and sixteen queries at a time.
extern "C" __global__ void score(float *__restrict__ top, const float *__restrict__ keys, const float *__restrict__ query, int n, int part)
{
    __shared__ float4 q[64 * QUERIES / 4];
    for (int i = threadIdx.x; i < 64 * QUERIES / 4; i += blockDim.x)
        q[i] = ((const float4 *)query)[i];
    __syncthreads();
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -3e38f;
    for (int first = 0; first < QUERIES; first += 16) {
        float sum[16] = {0};
#pragma unroll 16
        for (int d = 0; d < 64; d++) {
            float x = keys[(long long)d * n + at];
#pragma unroll
            for (int k = 0; k < 16; k += 4) {
                float4 v = q[(d * QUERIES + first + k) / 4];
                sum[k] += x * v.x;
                sum[k + 1] += x * v.y;
                sum[k + 2] += x * v.z;
                sum[k + 3] += x * v.w;
            }
        }
#pragma unroll
        for (int k = 0; k < 16; k++)
            most = fmaxf(most, sum[k]);
    }
    top[(long long)part * n + at] = most;
}
