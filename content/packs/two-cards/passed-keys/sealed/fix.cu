// The highest score that any of the queries gives to each key. Keys lie with one dimension after the other.
extern "C" __global__ void score(float *top, const float *keys, const float *query, int n, int part)
{
    __shared__ float q[QUERIES * 64];
    for (int i = threadIdx.x; i < QUERIES * 64; i += blockDim.x)
        q[i] = query[i];
    __syncthreads();
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float most = -3e38f;
    for (int first = 0; first < QUERIES; first += 8) {
        float sum[8] = {0};
        for (int d = 0; d < 64; d++) {
            float x = keys[(long long)d * n + at];
            for (int k = 0; k < 8; k++)
                sum[k] += x * q[d * QUERIES + first + k];
        }
        for (int k = 0; k < 8; k++)
            most = fmaxf(most, sum[k]);
    }
    top[(long long)part * n + at] = most;
}
