struct Particle { float x, y, z, m; };
__global__ void push(struct Particle *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i].x += p[i].m;
}
