// A neighbour's place by comparisons in the place of remainders: a coordinate leaves the lattice by one step at most. A remainder of numbers
// that the compiler does not know is some twenty instructions, and a site had nine of them beside the three that find x, y and z.
// HMC for phi^4 on a three dimensional lattice. The force is called for every leapfrog step.

typedef float real;

/* site -> flat index, periodic in all directions */
__device__ inline int site(int x, int y, int z, int lx, int ly, int lz)
{
    x += x < 0 ? lx : x < lx ? 0 : -lx;
    y += y < 0 ? ly : y < ly ? 0 : -ly;
    z += z < 0 ? lz : z < lz ? 0 : -lz;
    return (z * ly + y) * lx + x;
}

/* dS/dphi of every site */
extern "C" __global__ void force(real *__restrict__ f, const real *__restrict__ phi, real kappa, real lambda,
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
extern "C" __global__ void kick(real *pi, const real *f, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        pi[i] += eps * f[i];
}

/* leapfrog: drift */
extern "C" __global__ void drift(real *phi, const real *pi, real eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        phi[i] += eps * pi[i];
}
