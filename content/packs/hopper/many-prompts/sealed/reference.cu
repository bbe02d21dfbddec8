// The truth, in float64: four threads own a token, with every fourth of its 128 numbers each; 16 keys at a time pass through
// shared memory.
constexpr int WIDTH = 128, FOUR = 4, OWN = WIDTH / FOUR, TILE = 16, THREADS = 128;

static __device__ double number(unsigned short h)
{
    return __uint_as_float((unsigned)h << 16);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    reference(double *out, const unsigned short *q, const unsigned short *k, const unsigned short *v, int length)
{
    __shared__ double key[TILE][WIDTH], value[TILE][WIDTH];
    int token = (blockIdx.x * THREADS + threadIdx.x) / FOUR, lane = threadIdx.x % FOUR;
    size_t head = (size_t)blockIdx.y * length * WIDTH;
    double query[OWN], acc[OWN] = {}, top = -1e300, sum = 0;

#pragma unroll
    for (int c = 0; c < OWN; c++)
        query[c] = number(q[head + (size_t)token * WIDTH + FOUR * c + lane]) / sqrt(128.0);

    int last = (blockIdx.x + 1) * (THREADS / FOUR) - 1;     // of the block's tokens
    for (int first = 0; first <= last; first += TILE) {
        for (int i = threadIdx.x; i < TILE * WIDTH; i += THREADS) {
            size_t at = head + (size_t)(first + i / WIDTH) * WIDTH + i % WIDTH;
            key[i / WIDTH][i % WIDTH] = number(k[at]);
            value[i / WIDTH][i % WIDTH] = number(v[at]);
        }
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            double score = 0;
#pragma unroll
            for (int c = 0; c < OWN; c++)
                score += query[c] * key[i][FOUR * c + lane];
            score += __shfl_xor_sync(~0u, score, 1);
            score += __shfl_xor_sync(~0u, score, 2);
            if (first + i > token)
                continue;
            if (score > top) {
                double fade = exp(top - score);
                top = score;
                sum *= fade;
#pragma unroll
                for (int c = 0; c < OWN; c++)
                    acc[c] *= fade;
            }
            double weight = exp(score - top);
            sum += weight;
#pragma unroll
            for (int c = 0; c < OWN; c++)
                acc[c] += weight * value[i][FOUR * c + lane];
        }
        __syncthreads();
    }
#pragma unroll
    for (int c = 0; c < OWN; c++)
        out[head + (size_t)token * WIDTH + FOUR * c + lane] = acc[c] / sum;
}
