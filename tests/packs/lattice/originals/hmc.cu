// HMC for phi^4 on a three dimensional lattice. The force is called for every leapfrog step.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

typedef float real;

/* site -> flat index, periodic in all directions */
__device__ inline int site(int x, int y, int z, int lx, int ly, int lz)
{
    return ((z + lz) % lz) * lx * ly + ((y + ly) % ly) * lx + (x + lx) % lx;
}

/* dS/dphi of every site */
__global__ void force(real *__restrict__ f, const real *__restrict__ phi, real kappa, real lambda,
                      int lx, int ly, int lz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lx * ly * lz)
        return;
    int x = i % lx, y = (i / lx) % ly, z = i / (lx * ly);
    real p = phi[i];
    real sum = phi[site(x + 1, y, z, lx, ly, lz)] + phi[site(x - 1, y, z, lx, ly, lz)] +
               phi[site(x, y + 1, z, lx, ly, lz)] + phi[site(x, y - 1, z, lx, ly, lz)] +
               phi[site(x, y, z + 1, lx, ly, lz)] + phi[site(x, y, z - 1, lx, ly, lz)];
    f[i] = 2 * kappa * sum - 2 * p - 4 * lambda * p * (p * p - 1);
}

/* leapfrog: kick */
__global__ void kick(real *pi, const real *f, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pi[i] += eps * f[i];
}

/* leapfrog: drift */
__global__ void drift(real *phi, const real *pi, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        phi[i] += eps * pi[i];
}

int main(int argc, char **argv)
{
    const int lx = 192, ly = 192, lz = 192, n = lx * ly * lz;
    const int steps = argc > 1 ? atoi(argv[1]) : 50;
    const real eps = 0.05f, kappa = 0.18f, lambda = 1.3f;
    real *phi, *pi, *f;
    cudaMalloc(&phi, n * sizeof(real));
    cudaMalloc(&pi, n * sizeof(real));
    cudaMalloc(&f, n * sizeof(real));
    cudaMemset(phi, 0, n * sizeof(real));
    cudaMemset(pi, 0, n * sizeof(real));
    for (int s = 0; s < steps; s++) {
        drift<<<(n + 255) / 256, 256>>>(phi, pi, eps, n);
        force<<<(lx * ly * lz + 255) / 256, 256>>>(f, phi, kappa, lambda, lx, ly, lz);
        kick<<<(n + 255) / 256, 256>>>(pi, f, eps, n);
    }
    cudaDeviceSynchronize();
    printf("%d steps\n", steps);
    return 0;
}
