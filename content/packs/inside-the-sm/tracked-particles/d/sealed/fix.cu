// Tracks particles around a ring. A particle is its phase and its momentum. A station changes the momentum by the sine of the
// phase, and the way to the next station changes the phase by the momentum; the table has both factors of each.
constexpr int THREADS = 256;

extern "C" __global__ void track(float2 *out, const float2 *in, const float2 *__restrict__ table, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;

    float2 at = in[i];
    for (int turn = 0; turn < turns; turn++) {
#pragma unroll 8
        for (int j = 0; j < STATIONS; j++) {
            float2 station = table[j];
            at.y -= station.x * __sinf(at.x);
            at.x += station.y * at.y;
        }
    }
    out[i] = at;
}
