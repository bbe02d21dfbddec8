#include "kernels/runner/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/message.h"
#include "kernels/wire/os.h"

static const struct { const char *file, *kernel;
} own[OWN_COUNT] = {
    [OWN_EMPTY] = {"timing.cu", "wd_empty"},
    [OWN_SPIN] = {"timing.cu", "wd_spin"},
    [OWN_CLOCK] = {"timing.cu", "wd_clock"},
    [OWN_FLUSH] = {"timing.cu", "wd_flush"},
    [OWN_FILL] = {"fill.cu", "wd_fill"},
    [OWN_RUIN_SHARED] = {"disturb.cu", "wd_ruin_shared"},
    [OWN_COMPARE] = {"compare.cu", "wd_compare"},
    [OWN_SPREAD] = {"compare.cu", "wd_spread"},
    [OWN_NOISE] = {"disturb.cu", "wd_noise"},
    [OWN_HASH] = {"compare.cu", "wd_hash"},
    [OWN_COPY_ONE] = {"ceilings.cu", "wd_copy_one"},
    [OWN_COPY_FOUR] = {"ceilings.cu", "wd_copy_four"},
    [OWN_COPY_LOOP] = {"ceilings.cu", "wd_copy_loop"},
    [OWN_READ] = {"ceilings.cu", "wd_read"},
    [OWN_WRITE_ONE] = {"ceilings.cu", "wd_write_one"},
    [OWN_WRITE_LOOP] = {"ceilings.cu", "wd_write_loop"},
    [OWN_L2] = {"ceilings.cu", "wd_l2"},
    [OWN_FMA] = {"ceilings.cu", "wd_fma"},
    [OWN_TENSOR] = {"ceilings.cu", "wd_tensor"},
};

int gpu_check(struct gpu *g, cu_result r, const char *call, struct err *err)
{
    if (r != CU_OK)
        g->failed = r;
    if (fault_is_sticky(r)) {
        g->lost = true;
        g->sticky = g->sticky ? g->sticky : r;
    }
    return fault_cuda(&g->cu, r, call, err);
}

/* "NVIDIA H200" -> "nvidia-h200" */
static void make_slug(char *out, size_t size, const char *name)
{
    size_t n = 0;
    for (; *name && n + 1 < size; name++) {
        if (isalnum((unsigned char)*name))
            out[n++] = (char)tolower((unsigned char)*name);
        else if (n && out[n - 1] != '-')
            out[n++] = '-';
    }
    while (n && out[n - 1] == '-')
        n--;
    out[n] = '\0';
}

static int read_names(struct gpu *g, struct err *err)
{
    struct gpu_facts *f = &g->facts;
    struct cu_uuid uuid;
    size_t bytes = 0;
    int rc;
    if ((rc = GPU(g, err, cuDriverGetVersion, &f->driver)) ||
        (rc = GPU(g, err, cuDeviceGetName, f->name, (int)sizeof f->name, g->device)) ||
        (rc = GPU(g, err, cuDeviceGetUuid_v2, &uuid, g->device)) ||
        (rc = GPU(g, err, cuDeviceGetPCIBusId, f->pci, (int)sizeof f->pci, g->device)) ||
        (rc = GPU(g, err, cuDeviceTotalMem_v2, &bytes, g->device)))
        return rc;
    f->mem_bytes = bytes;
    make_slug(f->slug, sizeof f->slug, f->name);
    for (int i = 0; i < 16; i++)
        snprintf(f->uuid + 2 * i, 3, "%02x", (unsigned char)uuid.bytes[i]);
    return 0;
}

/* An attribute that an old driver does not know is 0; any other failure is one. */
static int read_attributes(struct gpu *g, struct err *err)
{
    struct gpu_facts *f = &g->facts;
    int l2 = 0, clock_khz = 0, mem_clock_khz = 0, display = 0, rc = 0;
    const struct { int which, *to;
    } list[] = {
        {CU_ATTR_MAJOR, &f->major},
        {CU_ATTR_MINOR, &f->minor},
        {CU_ATTR_SM_COUNT, &f->sm_count},
        {CU_ATTR_WARP_SIZE, &f->warp_size},
        {CU_ATTR_L2_BYTES, &l2},
        {CU_ATTR_SMEM_OPTIN, &f->smem_block_optin},
        {CU_ATTR_SMEM_SM, &f->smem_sm},
        {CU_ATTR_SMEM_RESERVED, &f->smem_reserved},
        {CU_ATTR_REGS_SM, &f->regs_sm},
        {CU_ATTR_THREADS_SM, &f->threads_sm},
        {CU_ATTR_BLOCKS_SM, &f->blocks_sm},
        {CU_ATTR_FP64_RATIO, &f->fp64_ratio},
        {CU_ATTR_BUS_BITS, &f->bus_bits},
        {CU_ATTR_CLOCK_KHZ, &clock_khz},
        {CU_ATTR_MEM_CLOCK_KHZ, &mem_clock_khz},
        {CU_ATTR_EXEC_TIMEOUT, &display},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list && !rc; i++) {
        cu_result r = g->cu.cuDeviceGetAttribute(list[i].to, list[i].which, g->device);
        rc = r == CU_INVALID_VALUE ? 0 : gpu_check(g, r, "cuDeviceGetAttribute", err);
    }
    f->l2_bytes = (uint64_t)l2;
    f->clock_hz = 1e3 * clock_khz;
    f->mem_clock_hz = 1e3 * mem_clock_khz;
    f->dram_peak = 2 * f->mem_clock_hz * f->bus_bits / 8;
    f->display = display != 0;
    return rc;
}

/* Persisting lines of an earlier program would survive every flush; some devices have none to
 * reset. */
static void forget_persisting_l2(struct gpu *g)
{
    if (GPU(g, NULL, cuCtxSetLimit, CU_LIMIT_PERSISTING_L2, 0) == 0)
        GPU(g, NULL, cuCtxResetPersistingL2Cache);
}

int gpu_open(struct gpu *g, int ordinal, struct err *err)
{
    int count = 0, rc;
    *g = (struct gpu){.rank = ordinal};
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); /* lazy loading deadlocks behind a spinning kernel */
    setenv("CUDA_CACHE_DISABLE", "1", 1);      /* what the driver compiles is compiled each time */
    if ((rc = api_load_cuda(&g->cu, err)))
        return rc;
    if ((rc = GPU(g, err, cuInit, 0)) || (rc = GPU(g, err, cuDeviceGetCount, &count)))
        return rc;
    if (count == 0)
        return gpu_check(g, CU_NO_DEVICE, "cuDeviceGetCount", err);
    if ((rc = GPU(g, err, cuDeviceGet, &g->device, ordinal)) || (rc = read_names(g, err)) ||
        (rc = read_attributes(g, err)))
        return rc;
    if ((rc = GPU(g, err, cuDevicePrimaryCtxRetain, &g->ctx, g->device)) ||
        (rc = GPU(g, err, cuCtxSetCurrent, g->ctx)) ||
        (rc = GPU(g, err, cuStreamCreate, &g->stream, CU_STREAM_NONBLOCKING)) ||
        (rc = GPU(g, err, cuMemAlloc_v2, &g->scratch, 64)))
        return rc;
    forget_persisting_l2(g);
    return 0;
}

int gpu_equals(struct gpu *g)
{
    int count = 1, equal = 0;
    char name[sizeof g->facts.name];
    if (GPU(g, NULL, cuDeviceGetCount, &count))
        return 1;
    for (int i = 0; i < count && i < CAP_RANKS; i++) {
        cu_device d;
        equal += !GPU(g, NULL, cuDeviceGet, &d, i) &&
                 !GPU(g, NULL, cuDeviceGetName, name, (int)sizeof name, d) &&
                 !strcmp(name, g->facts.name);
    }
    return equal > 1 ? equal : 1;
}

int gpu_turn_to(struct gpu *g, struct err *err)
{
    return GPU(g, err, cuCtxSetCurrent, g->ctx);
}

/* All of a file's kernels or none: then its module is unloaded, and the next request tries again.
 */
int gpu_own_load(struct gpu *g, const char *file, const void *image, struct err *err)
{
    cu_module module = NULL;
    int rc = 0;
    for (int k = 0; k < OWN_COUNT && !rc; k++) {
        if (strcmp(own[k].file, file) != 0 || g->own[k])
            continue;
        if (module || !(rc = GPU(g, err, cuModuleLoadDataEx, &module, image, 0, NULL, NULL)))
            rc = GPU(g, err, cuModuleGetFunction, &g->own[k], module, own[k].kernel);
    }
    for (int k = 0; k < OWN_COUNT && rc; k++)
        if (!strcmp(own[k].file, file))
            g->own[k] = NULL;
    if (rc && module && !g->lost)
        GPU(g, NULL, cuModuleUnload, module);
    return rc;
}

int gpu_launch_at(struct gpu *g, enum own_kernel k, const struct gpu_place *at, void **args,
                  struct err *err)
{
    int rc = 0;
    if (!g->own[k])
        return err_set(err, ERR_INTERNAL, "the runner's own kernel %s was not loaded",
                       own[k].kernel);
    if (at->shared)
        rc = GPU(g, err, cuFuncSetAttribute, g->own[k], CU_FUNC_DYNAMIC_SHARED, (int)at->shared);
    return rc ? rc
              : GPU(g, err, cuLaunchKernel, g->own[k], at->grid, 1, 1, at->block, 1, 1, at->shared,
                    at->stream, args, NULL);
}

int gpu_launch(struct gpu *g, enum own_kernel k, unsigned grid, unsigned block, void **args,
               struct err *err)
{
    struct gpu_place at = {.grid = grid, .block = block, .stream = g->stream};
    return gpu_launch_at(g, k, &at, args, err);
}

unsigned gpu_grid(const struct gpu *g, uint64_t n)
{
    uint64_t needed = (n + 255) / 256, most = (uint64_t)g->facts.sm_count * 8;
    needed = needed < most ? needed : most;
    return needed ? (unsigned)needed : 1;
}

int gpu_wait(struct gpu *g, int64_t until, struct err *err)
{
    return gpu_wait_stream(g, g->stream, until, err);
}

int gpu_wait_stream(struct gpu *g, cu_stream stream, int64_t until, struct err *err)
{
    struct timespec nap = {0, 10000};
    for (;;) {
        cu_result r = g->cu.cuStreamQuery(stream);
        if (r != CU_NOT_READY)
            return gpu_check(g, r, "cuStreamQuery", err);
        if (os_monotonic_ms() >= until) {
            g->lost = true;
            return err_set(err, ERR_TIMEOUT, "the kernel was still running at the deadline");
        }
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 500000)
            nap.tv_nsec += nap.tv_nsec / 4;
    }
}
