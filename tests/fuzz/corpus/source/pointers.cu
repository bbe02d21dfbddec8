__global__ void gather(float *out, float **rows, int n)
{
    out[threadIdx.x] = rows[threadIdx.x][n];
}
