// The truth in float64, in the plainest way: correctness of suspect and fix is judged against it. It takes the kernel's arguments and
// the number of elements; outputs are double, whatever they are in the kernel, but inout keeps its type. One thread for each element of the outputs.
extern "C" __global__ void reference(double *v_out, const float *v_in, float dt, int n, int steps, long long elements)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= elements)
        return;
    double value = v_in[i];
    for (int s = 0; s < steps; s++)
        value += dt * (9.81 - 0.25 * value * value);
    v_out[i] = value;
}
