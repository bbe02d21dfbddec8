// Two particles a thread: what is loaded of the table serves both, and one has its sine while the other adds.
constexpr int THREADS = 256;

static __device__ void pass(float2 &at, float2 station)
{
    at.y -= station.x * __sinf(at.x);
    at.x += station.y * at.y;
}

extern "C" __global__ void __launch_bounds__(THREADS) track(float2 *out, const float2 *in, const float2 *__restrict__ table, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x, other = i + gridDim.x * THREADS;
    if (i >= n)
        return;

    float2 a = in[i], b = in[min(other, n - 1)];
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll 12
        for (int j = 0; j < STATIONS; j++) {
            float2 station = table[j];
            pass(a, station);
            pass(b, station);
        }
    }
    out[i] = a;
    if (other < n)
        out[other] = b;
}
