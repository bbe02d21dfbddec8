// A particle is loaded once and stored once; between that each station needs what the one before it left.
extern "C" __global__ void track(float2 *out, const float2 *in, const float2 *table, int n, int turns)
{
    // of each particle a phase (x) and a momentum (y); at each of STATIONS stations of each turn:
    // momentum -= table.x sin(phase), then phase += table.y momentum
}
