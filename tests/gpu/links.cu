/* The links of two GPUs as a bare program would time them, for tests/gpu/links.py: one line for each figure, NAME FROM TO SECONDS
 * of one copy. Windows of several copies by the host's clock, the median of seven. Of the runner's way of doing a peer copy as a
 * step of a run (each copy meets the other GPU before and behind itself) the `met` lines tell what that costs. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

#define MUST(call) \
    do { \
        cudaError_t e_ = (call); \
        if (e_ != cudaSuccess) { \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_)); \
            exit(1); \
        } \
    } while (0)

static const size_t BIG = 256u << 20, STAGED = 64u << 20, SMALL = 16;
static char *source[2], *target[2], *pinned[2];
static cudaStream_t stream[2], second[2];

static void wait_for_all()
{
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaDeviceSynchronize());
    }
}

static double median_of_windows(int pieces, const std::function<void()> &piece)
{
    std::vector<double> windows;
    for (int w = 0; w < 8; w++) {
        wait_for_all();
        auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < pieces; i++)
            piece();
        wait_for_all();
        if (w)
            windows.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / pieces);
    }
    std::sort(windows.begin(), windows.end());
    return windows[windows.size() / 2];
}

static void peer(int from, size_t bytes)
{
    MUST(cudaSetDevice(from));
    MUST(cudaMemcpyPeerAsync(target[1 - from], 1 - from, source[from], from, bytes, stream[from]));
}

static void staged(int from, size_t bytes)
{
    MUST(cudaSetDevice(from));
    MUST(cudaMemcpyAsync(pinned[from], source[from], bytes, cudaMemcpyDeviceToHost, stream[from]));
    MUST(cudaStreamSynchronize(stream[from]));
    MUST(cudaSetDevice(1 - from));
    MUST(cudaMemcpyAsync(target[1 - from], pinned[from], bytes, cudaMemcpyHostToDevice, stream[1 - from]));
    MUST(cudaStreamSynchronize(stream[1 - from]));
}

static void staged_both(size_t bytes)
{
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaMemcpyAsync(pinned[d], source[d], bytes, cudaMemcpyDeviceToHost, stream[d]));
    }
    for (int d = 0; d < 2; d++)
        MUST(cudaStreamSynchronize(stream[d]));
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaMemcpyAsync(target[d], pinned[1 - d], bytes, cudaMemcpyHostToDevice, stream[d]));
    }
    for (int d = 0; d < 2; d++)
        MUST(cudaStreamSynchronize(stream[d]));
}

static void host(int d, bool up, bool down, size_t bytes)
{
    MUST(cudaSetDevice(d));
    if (up)
        MUST(cudaMemcpyAsync(target[d], pinned[d], bytes, cudaMemcpyHostToDevice, stream[d]));
    if (down)
        MUST(cudaMemcpyAsync(pinned[d], source[d], bytes, cudaMemcpyDeviceToHost, second[d]));
}

/* Both copy at once, and neither begins before the other is ready for it or goes on before the other's has come. */
static void met(size_t bytes, cudaEvent_t ready[2], cudaEvent_t done[2])
{
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaEventRecord(ready[d], stream[d]));
    }
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaStreamWaitEvent(stream[d], ready[1 - d], 0));
        peer(d, bytes);
        MUST(cudaEventRecord(done[d], stream[d]));
    }
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaStreamWaitEvent(stream[d], done[1 - d], 0));
    }
}

static void tell(const char *name, int from, int to, double seconds)
{
    printf("%s %d %d %.9g\n", name, from, to, seconds);
    fflush(stdout);
}

int main()
{
    cudaEvent_t ready[2], done[2];
    for (int d = 0; d < 2; d++) {
        MUST(cudaSetDevice(d));
        MUST(cudaDeviceEnablePeerAccess(1 - d, 0));
        MUST(cudaMalloc(&source[d], BIG));
        MUST(cudaMalloc(&target[d], BIG));
        MUST(cudaHostAlloc(&pinned[d], STAGED, cudaHostAllocPortable));
        MUST(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
        MUST(cudaStreamCreateWithFlags(&second[d], cudaStreamNonBlocking));
        MUST(cudaEventCreateWithFlags(&ready[d], cudaEventDisableTiming));
        MUST(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
    }
    for (int d = 0; d < 2; d++) {
        tell("direct", d, 1 - d, median_of_windows(20, [=] { peer(d, BIG); }));
        tell("direct_latency", d, 1 - d, median_of_windows(250, [=] { peer(d, SMALL); }));
        tell("staged", d, 1 - d, median_of_windows(8, [=] { staged(d, STAGED); }));
        tell("staged_latency", d, 1 - d, median_of_windows(250, [=] { staged(d, SMALL); }));
        tell("to_device", d, d, median_of_windows(20, [=] { host(d, true, false, STAGED); }));
        tell("to_host", d, d, median_of_windows(20, [=] { host(d, false, true, STAGED); }));
        tell("host_both", d, d, median_of_windows(20, [=] { host(d, true, true, STAGED); }));
        tell("host_latency", d, d, median_of_windows(250, [=] { host(d, true, false, SMALL); }));
    }
    tell("direct_both", 0, 1, median_of_windows(20, [=] { peer(0, BIG), peer(1, BIG); }));
    tell("staged_both", 0, 1, median_of_windows(8, [=] { staged_both(STAGED); }));
    tell("met", 0, 1, median_of_windows(20, [&] { met(BIG, ready, done); }));
    tell("met_small", 0, 1, median_of_windows(100, [&] { met(SMALL, ready, done); }));
    tell("alone", 0, 1, median_of_windows(1, [=] { peer(0, BIG), peer(1, BIG); }));
    return 0;
}
