#include "kernels/runner/bench.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/runner/stats.h"
#include "kernels/wire/text.h"

enum { FLUSH_MIN = 64 << 20, FLOOR_SAMPLES = 15 };
#define SPIN_LIMIT_NS 2000000000ull

struct clock_pair { uint64_t ns, cycles; };

struct bench {
    struct gpu *gpu;
    cu_ptr flush;
    uint64_t flush_bytes;
    volatile unsigned *flag;   /* [0] go, [1] the spin kernel gave up */
    cu_ptr flag_on_device;
    cu_ptr clocks;             /* sm_count pairs before, then sm_count after */
    struct clock_pair *pairs;  /* host copy */
    cu_event events[2];
    double floors[2];          /* 0 until measured */
};

static size_t clock_bytes(const struct bench *b)
{
    return 2 * (size_t)b->gpu->facts.sm_count * sizeof(struct clock_pair);
}

static int allocate(struct bench *b, struct err *err)
{
    struct gpu *g = b->gpu;
    void *flag = NULL;
    int rc;
    b->flush_bytes = 2 * g->facts.l2_bytes > FLUSH_MIN ? 2 * g->facts.l2_bytes : FLUSH_MIN;
    if ((rc = GPU(g, err, cuMemAlloc_v2, &b->flush, b->flush_bytes)) ||
        (rc = GPU(g, err, cuMemsetD8Async, b->flush, 1, b->flush_bytes, g->stream)) ||
        (rc = GPU(g, err, cuMemHostAlloc, &flag, 2 * sizeof *b->flag, CU_HOST_DEVICEMAP)))
        return rc;
    b->flag = flag;
    if ((rc = GPU(g, err, cuMemHostGetDevicePointer_v2, &b->flag_on_device, flag, 0)) ||
        (rc = GPU(g, err, cuMemAlloc_v2, &b->clocks, clock_bytes(b))) ||
        (rc = GPU(g, err, cuEventCreate, &b->events[0], CU_EVENT_PLAIN)))
        return rc;
    return GPU(g, err, cuEventCreate, &b->events[1], CU_EVENT_PLAIN);
}

int bench_new(struct bench **out, struct gpu *g, struct err *err)
{
    struct bench *b = mem_new(1, sizeof *b);
    b->gpu = g;
    b->pairs = mem_new(2 * (size_t)g->facts.sm_count + 1, sizeof *b->pairs);
    int rc = allocate(b, err);
    if (rc) {
        bench_free(b);
        b = NULL;
    }
    *out = b;
    return rc;
}

void bench_free(struct bench *b)
{
    if (!b)
        return;
    if (!b->gpu->lost) {
        if (b->flush)
            GPU(b->gpu, NULL, cuMemFree_v2, b->flush);
        if (b->clocks)
            GPU(b->gpu, NULL, cuMemFree_v2, b->clocks);
        if (b->flag)
            GPU(b->gpu, NULL, cuMemFreeHost, (void *)b->flag);
        for (int i = 0; i < 2; i++)
            if (b->events[i])
                GPU(b->gpu, NULL, cuEventDestroy_v2, b->events[i]);
    }
    free(b->pairs);
    free(b);
}

void bench_forget_persisting(struct bench *b)
{
    GPU(b->gpu, NULL, cuCtxResetPersistingL2Cache);
}

int bench_flush(struct bench *b, struct err *err)
{
    return bench_flush_on(b, b->gpu->stream, err);
}

int bench_flush_on(struct bench *b, cu_stream stream, struct err *err)
{
    uint64_t n = b->flush_bytes / 16;
    struct gpu_place at = {.grid = gpu_grid(b->gpu, n), .block = 256, .stream = stream};
    void *args[] = {&b->flush, &n, &b->gpu->scratch};
    return gpu_launch_at(b->gpu, OWN_FLUSH, &at, args, err);
}

static int launch_clock(struct bench *b, int after, struct err *err)
{
    unsigned sms = (unsigned)b->gpu->facts.sm_count;
    cu_ptr out = b->clocks + (after ? sms * sizeof(struct clock_pair) : 0);
    void *args[] = {&out, &sms};
    return gpu_launch(b->gpu, OWN_CLOCK, sms, 32, args, err);
}

static int enqueue_all(struct bench *b, bench_enqueue enqueue, void *arg, struct err *err)
{
    struct gpu *g = b->gpu;
    unsigned long long limit = SPIN_LIMIT_NS;
    void *args[] = {&b->flag_on_device, &limit};
    int rc;
    if ((rc = gpu_launch(g, OWN_SPIN, 1, 1, args, err)) || (rc = launch_clock(b, 0, err)) ||
        (rc = GPU(g, err, cuEventRecord, b->events[0], g->stream)) || (rc = enqueue(arg, err)) ||
        (rc = GPU(g, err, cuEventRecord, b->events[1], g->stream)))
        return rc;
    return launch_clock(b, 1, err);
}

/* An SM counts only if it was seen before and after: zeros mark those that were not. */
static int read_clock(struct bench *b, double *hz, struct err *err)
{
    int sms = b->gpu->facts.sm_count, n = 0;
    double *rates = mem_new((size_t)sms + 1, sizeof *rates);
    int rc = GPU(b->gpu, err, cuMemcpyDtoH_v2, b->pairs, b->clocks, clock_bytes(b));
    for (int i = 0; i < sms && !rc; i++) {
        const struct clock_pair *from = &b->pairs[i], *to = &b->pairs[sms + i];
        if (from->ns && to->ns > from->ns && to->cycles > from->cycles)
            rates[n++] = 1e9 * (double)(to->cycles - from->cycles) / (double)(to->ns - from->ns);
    }
    qsort(rates, (size_t)n, sizeof *rates, stats_ascending);
    *hz = n ? rates[n / 2] : 0;
    free(rates);
    return rc;
}

int bench_sample(struct bench *b, struct task *t, bench_enqueue enqueue, void *arg,
                 struct sample *out, struct err *err)
{
    struct gpu *g = b->gpu;
    float ms = 0;
    int rc;
    *out = (struct sample){.valid = false};
    if ((rc = GPU(g, err, cuMemsetD8Async, b->clocks, 0, clock_bytes(b), g->stream)) ||
        (rc = task_wait(t, err)))
        return rc;
    b->flag[0] = b->flag[1] = 0;
    rc = enqueue_all(b, enqueue, arg, err);
    __atomic_store_n(&b->flag[0], 1,
                     __ATOMIC_SEQ_CST); /* also after a failure: nothing may keep spinning */
    if (rc || (rc = task_wait(t, err)) ||
        (rc = GPU(g, err, cuEventElapsedTime, &ms, b->events[0], b->events[1])) ||
        (rc = read_clock(b, &out->clock_hz, err)))
        return rc;
    out->seconds = ms / 1e3;
    out->valid = b->flag[1] == 0;
    return 0;
}

static int enqueue_nothing(void *arg, struct err *err)
{
    (void)arg;
    (void)err;
    return 0;
}

static int enqueue_empty(void *arg, struct err *err)
{
    return gpu_launch(arg, OWN_EMPTY, 1, 1, NULL, err);
}

int bench_floor(struct bench *b, struct task *t, bool empty_kernel, double *out, struct err *err)
{
    double seconds[FLOOR_SAMPLES];
    struct sample s;
    int rc = 0;
    for (int i = -1; i < FLOOR_SAMPLES && !rc && b->floors[empty_kernel] == 0;
         i++) { /* the first warms up */
        rc = bench_sample(b, t, empty_kernel ? enqueue_empty : enqueue_nothing, b->gpu, &s, err);
        if (i >= 0)
            seconds[i] = s.seconds;
        if (i == FLOOR_SAMPLES - 1 && !rc)
            b->floors[empty_kernel] = stats_interval(seconds, FLOOR_SAMPLES).median;
    }
    *out = b->floors[empty_kernel];
    return rc;
}
