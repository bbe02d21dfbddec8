#ifdef WIDE
__global__ void copy(float4 *out, const float4 *in, int n) {
#else
__global__ void copy(float *out, const float *in, int n) {
#endif
    int i = threadIdx.x;
    if (i < n) out[i] = in[i];
}
