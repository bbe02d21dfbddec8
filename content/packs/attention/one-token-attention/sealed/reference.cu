// The truth, in float64: a block owns a head and walks along its cache, 256 keys at a time.
constexpr int WIDTH = 128, THREADS = 256;

static __device__ double value_of(unsigned short bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

extern "C" __global__ void __launch_bounds__(THREADS) reference(double *out, const float *q, const unsigned short *k,
                                                                const unsigned short *v, int keys)
{
    __shared__ double weight[THREADS], high[THREADS], query[WIDTH], joined[2][WIDTH];
    int me = threadIdx.x, d = me % WIDTH, half = me / WIDTH;
    double top = -1e30, sum = 0, total = 0;

    k += (size_t)blockIdx.x * keys * WIDTH;
    v += (size_t)blockIdx.x * keys * WIDTH;
    if (me < WIDTH)
        query[me] = q[blockIdx.x * WIDTH + me] / sqrt((double)WIDTH);
    __syncthreads();

    for (int first = 0; first < keys; first += THREADS) {
        double score = 0, before = top;
        const unsigned short *row = k + (size_t)min(first + me, keys - 1) * WIDTH;
        for (int i = 0; i < WIDTH; i++)
            score += query[i] * value_of(row[i]);
        high[me] = score;
        __syncthreads();
        for (int step = THREADS / 2; step > 0; step /= 2) {
            if (me < step)
                high[me] = fmax(high[me], high[me + step]);
            __syncthreads();
        }
        top = fmax(top, high[0]);
        weight[me] = first + me < keys ? exp(score - top) : 0;
        __syncthreads();
        sum *= exp(before - top);
        total *= exp(before - top);
        for (int i = half; i < THREADS && first + i < keys; i += 2) {
            sum += weight[i] * value_of(v[(size_t)(first + i) * WIDTH + d]);
            total += weight[i];
        }
        __syncthreads();
    }
    joined[half][d] = sum;
    weight[me] = total;
    __syncthreads();
    if (half == 0)
        out[blockIdx.x * WIDTH + d] = (sum + joined[1][d]) / (total + weight[me + WIDTH]);
}
