/* The steps of tests/gpu/hosted.py as a person would write them by hand with the CUDA runtime and
 * the C++ clock: median microseconds of each case, from an idle device until it is idle again. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

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

constexpr int CHAIN = 30, ROUNDS = 60;
constexpr size_t BIG = 64 << 20, FLUSH = 256 << 20;
static char *flush; // written before each step, so that it finds cold caches as the runner's does

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
        check(cudaMemset(flush, i, FLUSH));
        check(cudaDeviceSynchronize());
        auto from = std::chrono::steady_clock::now();
        step();
        check(cudaDeviceSynchronize());
        us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count());
    }
    std::sort(us.begin(), us.end());
    printf("%s %.3f\n", name, us[ROUNDS / 2]);
}

int main()
{
    float *out, *big, one, *pageable = (float *)calloc(1, BIG), *pinned;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaMalloc(&flush, FLUSH));
    check(cudaMalloc(&out, 256));
    check(cudaMalloc(&big, BIG));
    check(cudaMallocHost(&pinned, BIG));
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    auto chain = [&] {
        for (int i = 0; i < CHAIN; i++)
            hold<<<1, 32, 0, s>>>(out, i, 1000);
    };
    check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    chain();
    check(cudaStreamEndCapture(s, &graph));
    check(cudaGraphInstantiate(&exec, graph, 0));
    tell("chain", chain);
    tell("graph", [&] { check(cudaGraphLaunch(exec, s)); });
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
