/* The device that the worker holds: driver, one primary context, one stream, its facts, and the
 * runner's own kernels. Every driver call goes through GPU(), which notes whether the context
 * survived it; err gets the call that failed, what it means and what helps (faults.h). */
#ifndef WD_RUNNER_GPU_H
#define WD_RUNNER_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/runner/api.h"
#include "kernels/wire/err.h"

/* The runner's own kernels; device/FILE.cu holds wd_NAME. */
enum own_kernel {
    OWN_EMPTY,
    OWN_SPIN,
    OWN_CLOCK,
    OWN_FLUSH,
    OWN_FILL,
    OWN_COMPARE,
    OWN_SPREAD,
    OWN_HASH,
    OWN_RUIN_SHARED,
    OWN_NOISE,
    OWN_COPY_ONE,
    OWN_COPY_FOUR,
    OWN_COPY_LOOP,
    OWN_READ,
    OWN_WRITE_ONE,
    OWN_WRITE_LOOP,
    OWN_L2,
    OWN_FMA,
    OWN_TENSOR,
    OWN_COUNT
};

struct gpu_facts {
    char name[96], slug[64], uuid[48], pci[32];
    int driver;                     /* 13000 */
    int major, minor, sm_count, warp_size;
    uint64_t l2_bytes, mem_bytes;
    int smem_block_optin, smem_sm, smem_reserved, regs_sm, threads_sm, blocks_sm, fp64_ratio,
        bus_bits;
    double clock_hz, mem_clock_hz;
    double dram_peak; /* B/s: 2 x memory clock x bus width / 8; 0 if the driver does not say */
    bool display;                   /* launches have a time limit */
};

struct gpu {
    struct cuda_api cu;
    cu_device device;
    cu_context ctx;
    cu_stream stream;
    struct gpu_facts facts;
    cu_function own[OWN_COUNT];     /* NULL until gpu_own_load */
    struct world *world;            /* world.h; NULL: it is alone */
    int rank;                       /* of the world, and its ordinal; 0 alone */
    struct lanes *lanes;            /* lanes.h; NULL until a step uses more streams than one */
    cu_ptr scratch;                 /* 64 B of device memory for sinks and counters */
    cu_result sticky; /* the first result that lost the context; CU_OK when none did */
    cu_result failed; /* the latest result that was no success */
    bool lost; /* the context is gone or a kernel will not end: leave without destroying it */
};

/* Loads the driver, opens a device of those visible, counted from 0, and makes its context the
 * thread's. ERR_NO_GPU with the reason. */
int gpu_open(struct gpu *g, int ordinal, struct err *err);

/* How many devices of the host are as this one, itself counted: by name, for which no context is
 * needed. */
int gpu_equals(struct gpu *g);

/* Further calls of this thread are about this one. */
int gpu_turn_to(struct gpu *g, struct err *err);

/* Loads the kernels of one device file ("timing.cu"). Files without known kernels are ignored. */
int gpu_own_load(struct gpu *g, const char *file, const void *image, struct err *err);

/* Result of a driver call: 0, or ERR_* with the text; sets `lost` when it is sticky. With err NULL
 * also for calls whose failure alone would harm nobody: a release may be the first to tell of a
 * fault. */
int gpu_check(struct gpu *g, cu_result r, const char *call, struct err *err);
#define GPU(g, err, fn, ...) gpu_check((g), (g)->cu.fn(__VA_ARGS__), #fn, (err))

/* Enqueues one of our kernels on the stream. */
int gpu_launch(struct gpu *g, enum own_kernel k, unsigned grid, unsigned block, void **args,
               struct err *err);

/* The same with dynamic shared memory, on a stream of the caller's choice. */
struct gpu_place { unsigned grid, block, shared; cu_stream stream; };
int gpu_launch_at(struct gpu *g, enum own_kernel k, const struct gpu_place *at, void **args,
                  struct err *err);

/* A grid of a few blocks per SM, no larger than n elements need: for grid-stride kernels of 256
 * threads. */
unsigned gpu_grid(const struct gpu *g, uint64_t n);

/* Waits for the stream, or another, until os_monotonic_ms reaches `until`: ERR_TIMEOUT, and the
 * device is lost, when it does not get there. Sleeps between looks. */
int gpu_wait(struct gpu *g, int64_t until, struct err *err);
int gpu_wait_stream(struct gpu *g, cu_stream stream, int64_t until, struct err *err);

#endif
