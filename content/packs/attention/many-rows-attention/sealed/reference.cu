// The truth, in float64: two threads own a query, with every other of its 64 floats each; 32 keys at a time pass through shared memory.
constexpr int WIDTH = 64, HALF = WIDTH / 2, TILE = 32, THREADS = 128;

extern "C" __global__ void __launch_bounds__(THREADS) reference(double *out, const float *q, const float *k, const float *v, int length)
{
    __shared__ double key[TILE][WIDTH], value[TILE][WIDTH];
    int row = min((int)(blockIdx.x * THREADS + threadIdx.x) / 2, length - 1), half = threadIdx.x % 2;
    size_t head = (size_t)blockIdx.y * length * WIDTH;
    double query[HALF], acc[HALF] = {}, top = -1e30, sum = 0;

#pragma unroll
    for (int c = 0; c < HALF; c++)
        query[c] = q[head + (size_t)row * WIDTH + 2 * c + half] / 8.0;

    for (int first = 0; first < length; first += TILE) {
        for (int i = threadIdx.x; i < TILE * WIDTH; i += THREADS) {
            size_t at = head + (size_t)min(first + i / WIDTH, length - 1) * WIDTH + i % WIDTH;
            key[i / WIDTH][i % WIDTH] = k[at];
            value[i / WIDTH][i % WIDTH] = v[at];
        }
        __syncthreads();
        for (int i = 0; i < TILE && first + i < length; i++) {
            double score = 0;
#pragma unroll
            for (int c = 0; c < HALF; c++)
                score += query[c] * key[i][2 * c + half];
            score += __shfl_xor_sync(~0u, score, 1);
            if (score > top) {
                double fade = exp(top - score);
                top = score;
                sum *= fade;
#pragma unroll
                for (int c = 0; c < HALF; c++)
                    acc[c] *= fade;
            }
            double weight = exp(score - top);
            sum += weight;
#pragma unroll
            for (int c = 0; c < HALF; c++)
                acc[c] += weight * value[i][2 * c + half];
        }
        __syncthreads();
    }
#pragma unroll
    for (int c = 0; c < HALF; c++)
        out[head + (size_t)row * WIDTH + 2 * c + half] = acc[c] / sum;
}
