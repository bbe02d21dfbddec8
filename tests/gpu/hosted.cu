/* The steps of tests/gpu/hosted.py as a person would write them by hand with the CUDA runtime and
 * the C++ clock: median microseconds of each case, from an idle device until it is idle again.
 * usage: hosted CUBIN PTX, two modules of the kernel alone (-DHOLD_ALONE). */
#ifndef HOLD_ALONE
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>
#endif

__global__ void hold(float *out, int at, long long ns)
{
    unsigned long long from, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(from));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - from < ns);
    if (threadIdx.x == 0)
        out[at] = at;
}

#ifndef HOLD_ALONE
// Read, as the runner's is: a written one leaves dirty lines, whose way to DRAM the next step would pay.
__global__ void read_all(const uint4 *p, size_t n, unsigned *sink)
{
    unsigned sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        uint4 v = p[i];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x12345678)
        *sink = sum;
}

constexpr int CHAIN = 30, ROUNDS = 60;
constexpr size_t BIG = 64 << 20, FLUSH = 256 << 20;
static uint4 *flush; // read before each step, so that it finds cold caches as the runner's does
static unsigned *sink;

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(1);
    }
}

static void tell(const char *name, const std::function<void()> &step)
{
    std::vector<double> us;
    for (int i = 0; i < ROUNDS; i++) {
        read_all<<<1024, 256>>>(flush, FLUSH / sizeof *flush, sink);
        check(cudaDeviceSynchronize());
        auto from = std::chrono::steady_clock::now();
        step();
        check(cudaGetLastError()); // of the launches: a wait does not tell it
        check(cudaDeviceSynchronize());
        us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    }
    std::sort(us.begin(), us.end());
    printf("%s %.3f\n", name, us[ROUNDS / 2]);
}

// By the driver's own call, as the runtime has none that takes PTX.
static std::function<void()> loader(const char *path)
{
    static void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    static auto load = (int (*)(void **, const void *))dlsym(driver, "cuModuleLoadData");
    static auto unload = (int (*)(void *))dlsym(driver, "cuModuleUnload");
    std::ifstream file(path, std::ios::binary);
    std::string image{std::istreambuf_iterator<char>(file), {}};
    return [image] {
        void *module;
        if (load(&module, image.c_str()) || unload(module)) {
            fprintf(stderr, "cuModuleLoadData\n");
            exit(1);
        }
    };
}

int main(int, char **argv)
{
    setenv("CUDA_CACHE_DISABLE", "1", 1); // else the second time of the same PTX finds the first
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    float *out, *big, one, *pageable = (float *)calloc(1, BIG), *pinned;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaMalloc(&flush, FLUSH));
    check(cudaMemset(flush, 1, FLUSH));
    check(cudaMalloc(&sink, sizeof *sink));
    check(cudaMalloc(&out, 256));
    check(cudaMalloc(&big, BIG));
    check(cudaMallocHost(&pinned, BIG));
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    auto chain = [&] {
        for (int i = 0; i < CHAIN; i++)
            hold<<<1, 32, 0, s>>>(out, i, 1000);
    };
    auto make = [&] {
        check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
        chain();
        check(cudaStreamEndCapture(s, &graph));
        check(cudaGraphInstantiate(&exec, graph, 0));
        check(cudaGraphDestroy(graph));
    };
    make();
    tell("chain", chain);
    tell("graph", [&] { check(cudaGraphLaunch(exec, s)); });
    tell("anew", [&] {
        make();
        check(cudaGraphLaunch(exec, s));
        check(cudaGraphExecDestroy(exec));
    });
    auto loaded = [&](const char *name, const char *path) {
        auto again = loader(path);
        tell(name, [&] {
            again();
            hold<<<1, 32, 0, s>>>(out, 0, 20000);
        });
    };
    loaded("cubin", argv[1]);
    loaded("ptx", argv[2]);
    tell("read", [&] {
        for (int i = 0; i < 4; i++) {
            hold<<<1, 32, 0, s>>>(out, i, 20000);
            check(cudaMemcpyAsync(&one, out, sizeof one, cudaMemcpyDeviceToHost, s));
            check(cudaStreamSynchronize(s));
        }
    });
    tell("alloc", [&] {
        float *p;
        check(cudaMalloc(&p, BIG));
        hold<<<1, 32, 0, s>>>(out, 0, 20000);
        check(cudaFree(p));
    });
    tell("pageable", [&] {
        hold<<<1, 32, 0, s>>>(out, 0, 20000);
        check(cudaMemcpyAsync(pageable, big, BIG, cudaMemcpyDeviceToHost, s));
        check(cudaStreamSynchronize(s));
    });
    tell("pinned", [&] {
        hold<<<1, 32, 0, s>>>(out, 0, 20000);
        check(cudaMemcpyAsync(pinned, big, BIG, cudaMemcpyDeviceToHost, s));
    });
    return 0;
}
#endif
