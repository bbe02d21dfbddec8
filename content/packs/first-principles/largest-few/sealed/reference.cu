// K walks through the row, each of which finds the largest element behind the one that was found last; of equals the first comes first.
constexpr int K = 32, THREADS = 256;

extern "C" __global__ void largest(double *out, const float *in, int rows, int cols)
{
    __shared__ float values[THREADS];
    __shared__ int places[THREADS];
    const float *row = in + (long long)blockIdx.x * cols;
    float last = __int_as_float(0x7f800000);
    int last_place = -1;
    for (int k = 0; k < K; k++) {
        float best = -__int_as_float(0x7f800000);
        int place = cols;
        for (int c = threadIdx.x; c < cols; c += THREADS) {
            bool behind = row[c] < last || (row[c] == last && c > last_place);
            if (behind && (row[c] > best || (row[c] == best && c < place)))
                best = row[c], place = c;
        }
        values[threadIdx.x] = best, places[threadIdx.x] = place;
        __syncthreads();
        for (int t = 0; t < THREADS; t++)
            if (values[t] > best || (values[t] == best && places[t] < place))
                best = values[t], place = places[t];
        __syncthreads();
        last = best, last_place = place;
        if (threadIdx.x == 0)
            out[(long long)blockIdx.x * K + k] = best;
    }
}
