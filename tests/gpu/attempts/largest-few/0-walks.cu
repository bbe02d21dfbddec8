// walls: 0
// launch 1: grid rows; block 256
// K walks through the row, each of which finds the largest element behind the one that was found last.
constexpr int K = 32, WARPS = 8;

extern "C" __global__ void largest(float *out, const float *in, int rows, int cols)
{
    __shared__ float values[WARPS];
    __shared__ int places[WARPS];
    const float *row = in + (long long)blockIdx.x * cols;
    float last = __int_as_float(0x7f800000);
    int last_place = -1;
    for (int k = 0; k < K; k++) {
        float best = -__int_as_float(0x7f800000);
        int place = cols;
        for (int c = threadIdx.x; c < cols; c += blockDim.x) {
            float x = row[c];
            bool behind = x < last || (x == last && c > last_place);
            if (behind && x > best)
                best = x, place = c;
        }
        for (int d = 16; d; d /= 2) {
            float other = __shfl_xor_sync(~0u, best, d);
            int at = __shfl_xor_sync(~0u, place, d);
            if (other > best || (other == best && at < place))
                best = other, place = at;
        }
        if (threadIdx.x % 32 == 0)
            values[threadIdx.x / 32] = best, places[threadIdx.x / 32] = place;
        __syncthreads();
        for (int w = 0; w < WARPS; w++)
            if (values[w] > best || (values[w] == best && places[w] < place))
                best = values[w], place = places[w];
        __syncthreads();
        last = best, last_place = place;
        if (threadIdx.x == 0)
            out[(long long)blockIdx.x * K + k] = best;
    }
}
