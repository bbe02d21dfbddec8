// Leapfrog steps of a field on a periodic lattice, and what the host does between.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

typedef float real;
#define BLOCK 256

struct couplings {
    real kappa, lambda;
};

__device__ inline int site(int x, int y, int z, int lx, int ly, int lz)
{
    return ((z + lz) % lz) * lx * ly + ((y + ly) % ly) * lx + (x + lx) % lx;
}

/* dS/dphi of every site */
__global__ void force(real *__restrict__ f, const real *__restrict__ phi, real kappa, real lambda, int lx, int ly, int lz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lx * ly * lz)
        return;
    int x = i % lx, y = (i / lx) % ly, z = i / (lx * ly);
    real p = phi[i];
    real sum = phi[site(x + 1, y, z, lx, ly, lz)] + phi[site(x - 1, y, z, lx, ly, lz)] + phi[site(x, y + 1, z, lx, ly, lz)];
    f[i] = 2 * kappa * sum - 2 * p - 4 * lambda * p * (p * p - 1);
}

__global__ void kick(real *pi, const real *f, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pi[i] += eps * f[i];
}

__global__ void drift(real *phi, const real *pi, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        phi[i] += eps * pi[i];
}

template <typename T> __global__ void unused(T *x)
{
    x[0] = 0;
}

int main(int argc, char **argv)
{
    int L = argc > 1 ? atoi(argv[1]) : 256;
    int lx = L, ly = L, lz = L, n = lx * ly * lz;
    real eps = 0.05f, first;
    struct couplings c = {0.18f, 1.3f};
    std::vector<real> h(n, 0.5f);
    real *d_phi, *d_pi, *d_f;
    cudaMalloc(&d_phi, n * sizeof(real));
    cudaMalloc(&d_pi, n * sizeof(real));
    cudaMalloc(&d_f, n * sizeof(real));
    cudaMemcpy(d_phi, h.data(), n * sizeof(real), cudaMemcpyHostToDevice);
    dim3 block(BLOCK), grid((n + block.x - 1) / block.x);
    for (int step = 0; step < 20; step++) {
        drift<<<grid, block>>>(d_phi, d_pi, eps / 2, n);
        force<<<grid, block>>>(d_f, d_phi, c.kappa, c.lambda, lx, ly, lz);
        kick<<<grid, block>>>(d_pi, d_f, eps, n);
        cudaMemcpy(&first, d_pi, sizeof(real), cudaMemcpyDeviceToHost);
        cudaMemcpy(h.data(), d_f, n * sizeof(real), cudaMemcpyDeviceToHost);
        drift<<<dim3(n / 256), 256>>>(d_phi, d_pi, 0.025f, n);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(h.data(), d_phi, n * sizeof(real), cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]);
}
