/* The code is the suspect's: what differs is how it is launched. One wave of blocks of 1024 threads fills
 * every multiprocessor, all blocks begin together and have as much to do, so they end together.
 *
 * Expected: 8 bytes a sample at the speed of a copy. */
extern "C" __global__ void prepare(float4 *out, const float4 *in, int n, float scale, float shift)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float4 v = in[i];
        v.x = v.x * scale + shift;
        v.y = v.y * scale + shift;
        v.z = v.z * scale + shift;
        v.w = v.w * scale + shift;
        out[i] = v;
    }
}
