/* The kernel of tests/gpu/benchmark.py, and the benchmarks of it as a person would write them by
 * hand: CUDA's driver functions, two events or the C++ clock, each mistake made by leaving a line
 * out or putting it elsewhere. Prints the microseconds of all samples, a line for each case.
 * usage: benchmark FATBIN, this very file compiled by nvcc -fatbin */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include <cuda.h>

/* Its first block waits for ns. */
extern "C" __global__ void scale(float *out, const float *in, int n, long long ns)
{
    unsigned long long from, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(from));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (blockIdx.x == 0 && now - from < ns);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

extern "C" __global__ void empty_l2(const uint4 *p, unsigned long long n, unsigned *sink)
{
    unsigned sum = 0;
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        uint4 v = p[i];
        sum += v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x12345678)
        *sink = sum;
}

constexpr int N = 4 << 20, WARM_UP = 3, SAMPLES = 50, BATCH = 10;
constexpr long long LONG_NS = 500000;

static CUmodule module;
static CUfunction kernel, flusher;
static CUstream stream, side;
static CUevent start, stop;
static CUdeviceptr in, out, junk, sink;
static unsigned long long junk_bytes;
static int sms;
static std::vector<char> image;

static void check(CUresult r)
{
    const char *text = "?";
    if (r == CUDA_SUCCESS)
        return;
    cuGetErrorString(r, &text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void load()
{
    check(cuModuleLoadData(&module, image.data()));
    check(cuModuleGetFunction(&kernel, module, "scale"));
}

static void launch(CUstream s, long long ns)
{
    int n = N;
    void *args[] = {&out, &in, &n, &ns};
    check(cuLaunchKernel(kernel, N / 256, 1, 1, 256, 1, 1, 0, s, args, nullptr));
}

static void flush()
{
    unsigned long long n = junk_bytes / 16;
    void *args[] = {&junk, &n, &sink};
    check(cuLaunchKernel(flusher, 8 * sms, 1, 1, 256, 1, 1, 0, stream, args, nullptr));
}

static void wait() { check(cuStreamSynchronize(stream)); }

static void warm_up(long long ns)
{
    for (int i = 0; i < WARM_UP; i++)
        launch(stream, ns);
    check(cuCtxSynchronize());
}

static void tell(const char *name, const std::vector<double> &us)
{
    printf("%s", name);
    for (double t : us)
        printf(" %.4f", t);
    printf("\n");
}

using step = std::function<void()>;

static void by_events(const char *name, const step &before, const step &timed, int per = 1)
{
    std::vector<double> us;
    float ms;
    for (int i = 0; i < SAMPLES; i++) {
        before();
        check(cuEventRecord(start, stream));
        timed();
        check(cuEventRecord(stop, stream));
        check(cuEventSynchronize(stop));
        check(cuEventElapsedTime(&ms, start, stop));
        us.push_back(ms * 1e3 / per);
    }
    check(cuCtxSynchronize());
    tell(name, us);
}

static void by_host(const char *name, const step &before, const step &timed)
{
    std::vector<double> us;
    for (int i = 0; i < SAMPLES; i++) {
        before();
        auto from = std::chrono::steady_clock::now();
        timed();
        auto to = std::chrono::steady_clock::now();
        us.push_back(std::chrono::duration<double, std::micro>(to - from).count());
    }
    check(cuCtxSynchronize());
    tell(name, us);
}

static void prepare(const char *path)
{
    CUdevice device;
    CUcontext context;
    CUmodule other;
    int l2 = 0;
    check(cuInit(0));
    check(cuDeviceGet(&device, 0));
    check(cuDevicePrimaryCtxRetain(&context, device));
    check(cuCtxSetCurrent(context));
    check(cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device));
    check(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    junk_bytes = std::max(2ull * l2, 64ull << 20);
    std::ifstream file(path, std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
    image.push_back(0);
    check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    check(cuStreamCreate(&side, CU_STREAM_NON_BLOCKING));
    check(cuEventCreate(&start, CU_EVENT_DEFAULT));
    check(cuEventCreate(&stop, CU_EVENT_DEFAULT));
    check(cuMemAlloc(&in, N * sizeof(float)));
    check(cuMemAlloc(&out, N * sizeof(float)));
    check(cuMemAlloc(&junk, junk_bytes));
    check(cuMemAlloc(&sink, 4));
    check(cuMemsetD8(junk, 1, junk_bytes));
    std::vector<float> x(N);
    for (float &v : x)
        v = rand() / (float)RAND_MAX;
    check(cuMemcpyHtoD(in, x.data(), N * sizeof(float)));
    check(cuModuleLoadData(&other, image.data()));
    check(cuModuleGetFunction(&flusher, other, "empty_l2"));
    load();
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    prepare(argv[1]);
    step nothing = [] {}, once = [] { launch(stream, 0); }, slow = [] { launch(stream, LONG_NS); };
    step flush_and_wait = [] { flush(); wait(); };

    warm_up(0);
    by_events("honest", flush, once);
    by_events("warm", nothing, once);
    by_events("flush-inside", nothing, [] { flush(); launch(stream, 0); });
    by_events("batch", flush, [] {
        for (int i = 0; i < BATCH; i++)
            launch(stream, 0);
    }, BATCH);
    by_host("host", flush_and_wait, [] { launch(stream, 0); wait(); });
    by_host("host-warm", nothing, [] { launch(stream, 0); wait(); });

    warm_up(LONG_NS);
    by_events("long", flush, slow);
    by_events("side", flush, [] { launch(side, LONG_NS); });
    by_host("no-sync", nothing, slow);
    by_host("long-host", flush_and_wait, [] { launch(stream, LONG_NS); wait(); });

    check(cuModuleUnload(module));
    bool loaded = false;
    by_host("load-inside", flush_and_wait, [&] {
        if (!loaded)
            load();
        loaded = true;
        launch(stream, 0);
        wait();
    });
    return 0;
}
