extern "C" __global__ void roots(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = in[i], root = a;
    while (fabsf(root * root - a) > 1e-5f * a)
        root = 0.5f * (root + a / root);
    out[i] = root;
}
