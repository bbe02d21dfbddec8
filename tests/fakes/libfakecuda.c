/* A GPU in host memory: one stream that executes at once, on a virtual clock, and kernels in C.
 *
 * What a test kernel does is said by a marker in its source, "fake: BEHAVIOUR SECONDS SEED": move
 * (a transposition), zeros, nothing, input, off (one element wrong), tail (the last 32 missing),
 * canary (one write beyond), writes (into the input), stale (only the first launch writes), fault
 * (error 700), endless. Plan: noise, outlier_share and
 * outlier_size; drift (each launch that much slower than the one before it); slow_share and
 * slow_clock (that share of launches runs at so much of the rated clock); the name of one of the runner's own
 * kernels: its seconds. A SEED other than 0 begins
 * the noise and the drift anew when its source is loaded. */
#include "kernels/runner/api.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
CUDA_CALLS(DECLARE)

enum { SMS = 4, L2 = 1 << 20, CLOCK_KHZ = 1000000 };
struct CUmod_st { char behaviour[32]; double seconds; int launches; };
struct CUfunc_st { char name[64]; struct CUmod_st *module; };
struct CUevent_st { double at; };

static double now = 1;    /* virtual seconds */
static double cycles = 1; /* of every SM */
static double drifted;    /* by so much the next launch is slower */
static int lost;       /* a sticky error */
static int endless;
static uint64_t seed = 1;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void pass(double seconds, double clock)
{
    now += seconds;
    cycles += seconds * clock * 1e3 * CLOCK_KHZ;
}

static double uniform(void)
{
    return (double)(mix(seed += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

#define CALL() \
    do { \
        if (lost) \
            return lost; \
        FAKE_CALL(); \
    } while (0)

/* ---- the device ---- */

cu_result cuInit(unsigned flags) { (void)flags; CALL(); return 0; }
cu_result cuDriverGetVersion(int *version) { CALL(); *version = 13000; return 0; }
cu_result cuGetErrorName(cu_result e, const char **out) { *out = e == CU_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE"; return 0; }
cu_result cuGetErrorString(cu_result e, const char **out) { *out = e == CU_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "an error of the fake"; return 0; }
cu_result cuDeviceGetCount(int *n) { CALL(); *n = 1; return 0; }
cu_result cuDeviceGet(cu_device *out, int ordinal) { CALL(); *out = ordinal; return 0; }
cu_result cuDeviceGetName(char *name, int len, cu_device d) { (void)d; CALL(); snprintf(name, (size_t)len, "Fake GPU"); return 0; }
cu_result cuDeviceGetUuid_v2(struct cu_uuid *out, cu_device d) { (void)d; CALL(); memset(out, 7, sizeof *out); return 0; }
cu_result cuDeviceGetPCIBusId(char *id, int len, cu_device d) { (void)d; CALL(); snprintf(id, (size_t)len, "0000:01:00.0"); return 0; }
cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device d) { (void)d; CALL(); *bytes = (size_t)1 << 30; return 0; }
cu_result cuDevicePrimaryCtxRetain(cu_context *out, cu_device d) { (void)d; CALL(); *out = (cu_context)(uintptr_t)8; return 0; }
cu_result cuCtxSetCurrent(cu_context ctx) { (void)ctx; CALL(); return 0; }
cu_result cuCtxSynchronize(void) { CALL(); while (endless) pause(); return 0; }
cu_result cuCtxSetLimit(int limit, size_t value) { (void)limit, (void)value; CALL(); return 0; }
cu_result cuCtxResetPersistingL2Cache(void) { CALL(); return 0; }

cu_result cuDeviceGetAttribute(int *out, int attribute, cu_device d)
{
    static const int table[][2] = {
        {CU_ATTR_THREADS_BLOCK, 1024}, {CU_ATTR_SMEM_BLOCK, 49152}, {CU_ATTR_WARP_SIZE, 32}, {CU_ATTR_CLOCK_KHZ, CLOCK_KHZ},
        {CU_ATTR_SM_COUNT, SMS}, {CU_ATTR_MEM_CLOCK_KHZ, 3000000}, {CU_ATTR_BUS_BITS, 5120}, {CU_ATTR_L2_BYTES, L2},
        {CU_ATTR_THREADS_SM, 2048}, {CU_ATTR_MAJOR, 9}, {CU_ATTR_MINOR, 0}, {CU_ATTR_SMEM_SM, 233472},
        {CU_ATTR_REGS_SM, 65536}, {CU_ATTR_FP64_RATIO, 2}, {CU_ATTR_SMEM_OPTIN, 232448}, {CU_ATTR_BLOCKS_SM, 32},
        {CU_ATTR_SMEM_RESERVED, 1024},
    };
    (void)d;
    CALL();
    *out = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] == attribute)
            *out = table[i][1];
    return 0;
}

/* ---- memory ---- */

cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) { CALL(); *free_bytes = *total = (size_t)1 << 30; return 0; }
cu_result cuMemAlloc_v2(cu_ptr *out, size_t bytes) { CALL(); void *p = aligned_alloc(256, (bytes + 255) / 256 * 256); *out = (cu_ptr)(uintptr_t)p; return p ? 0 : CU_OUT_OF_MEMORY; }
cu_result cuMemFree_v2(cu_ptr p) { CALL(); free((void *)(uintptr_t)p); return 0; }
cu_result cuMemHostAlloc(void **out, size_t bytes, unsigned flags) { (void)flags; CALL(); *out = calloc(1, bytes); return 0; }
cu_result cuMemFreeHost(void *p) { CALL(); free(p); return 0; }
cu_result cuMemHostGetDevicePointer_v2(cu_ptr *out, void *host, unsigned flags) { (void)flags; CALL(); *out = (cu_ptr)(uintptr_t)host; return 0; }
cu_result cuMemcpyHtoD_v2(cu_ptr to, const void *from, size_t n) { CALL(); memcpy((void *)(uintptr_t)to, from, n); return 0; }
cu_result cuMemcpyDtoH_v2(void *to, cu_ptr from, size_t n) { CALL(); memcpy(to, (void *)(uintptr_t)from, n); return 0; }
cu_result cuMemcpyDtoDAsync_v2(cu_ptr to, cu_ptr from, size_t n, cu_stream s) { (void)s; CALL(); memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n); return 0; }
cu_result cuMemsetD8Async(cu_ptr p, unsigned char v, size_t n, cu_stream s) { (void)s; CALL(); memset((void *)(uintptr_t)p, v, n); return 0; }

/* ---- stream and events ---- */

cu_result cuStreamCreate(cu_stream *out, unsigned flags) { (void)flags; CALL(); *out = (cu_stream)(uintptr_t)8; return 0; }
cu_result cuStreamQuery(cu_stream s) { (void)s; CALL(); return endless ? CU_NOT_READY : 0; }
cu_result cuEventCreate(cu_event *out, unsigned flags) { (void)flags; CALL(); *out = calloc(1, sizeof **out); return 0; }
cu_result cuEventRecord(cu_event e, cu_stream s) { (void)s; CALL(); pass(1e-6, 1); e->at = now; return 0; }
cu_result cuEventQuery(cu_event e) { (void)e; CALL(); return endless ? CU_NOT_READY : 0; }
cu_result cuEventElapsedTime(float *ms, cu_event from, cu_event to) { CALL(); *ms = (float)(1e3 * (to->at - from->at)); return 0; }
cu_result cuEventDestroy_v2(cu_event e) { CALL(); free(e); return 0; }

/* ---- modules ---- */

cu_result cuModuleLoadDataEx(cu_module *out, const void *image, unsigned n, int *options, void **values)
{
    (void)n, (void)options, (void)values;
    CALL();
    const char *marker = strstr(image, "fake: ");
    uint64_t begin = 0;
    *out = calloc(1, sizeof **out);
    if (marker)
        sscanf(marker, "fake: %31s %lf %" SCNu64, (*out)->behaviour, &(*out)->seconds, &begin);
    if (begin) {
        seed = mix(begin);
        drifted = 0;
    }
    return 0;
}

static struct CUfunc_st functions[256]; /* those of a module that is gone are free again */

cu_result cuModuleUnload(cu_module m)
{
    CALL();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].module == m)
            functions[i].module = NULL;
    free(m);
    return 0;
}

cu_result cuModuleGetFunction(cu_function *out, cu_module m, const char *name)
{
    size_t i = 0, n = sizeof functions / sizeof *functions;
    CALL();
    while (i < n && functions[i].module && (functions[i].module != m || strcmp(functions[i].name, name) != 0))
        i++;
    if (i == n)
        return CU_OUT_OF_MEMORY;
    *out = &functions[i];
    snprintf((*out)->name, sizeof (*out)->name, "%s", name);
    (*out)->module = m;
    return 0;
}

cu_result cuFuncGetAttribute(int *out, int attribute, cu_function f)
{
    (void)f;
    CALL();
    *out = attribute == CU_FUNC_REGS ? 32 : attribute == CU_FUNC_THREADS_BLOCK ? 1024 : 0;
    return 0;
}
cu_result cuFuncSetAttribute(cu_function f, int attribute, int value) { (void)f, (void)attribute, (void)value; CALL(); return 0; }
cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, cu_function f, int threads, size_t dynamic)
{
    (void)f, (void)dynamic;
    CALL();
    *out = 2048 / (threads > 0 ? threads : 1);
    return 0;
}

/* ---- kernels ---- */
#define ARG(type, i) (*(type *)args[i])

static void fill(void **args) /* f32 and f64, uniform or constant: what tests declare */
{
    char *p = ARG(char *, 0);
    int type = ARG(int, 2), kind = ARG(int, 3);
    double a = ARG(double, 4), b = ARG(double, 5);
    for (uint64_t i = 0; i < ARG(uint64_t, 1); i++) {
        uint64_t bits = mix(ARG(uint64_t, 6) + 0x9e3779b97f4a7c15u * (i + 1));
        double v = kind == 1 ? a : kind == 3 ? a + (b - a) * (double)(bits >> 40) * 0x1p-24 : kind == 2 ? a + b * (double)i : 0;
        if (type == 0)
            ((double *)p)[i] = v;
        else
            ((float *)p)[i] = (float)v;
    }
}

static double load(const void *p, int type, uint64_t i)
{
    return type == 0 ? ((const double *)p)[i] : ((const float *)p)[i];
}

static void compare(void **args)
{
    int exact = ARG(int, 5);
    uint64_t *out = ARG(uint64_t *, 9);
    for (uint64_t i = 0; i < ARG(uint64_t, 4); i++) {
        double got = load(ARG(void *, 0), ARG(int, 1), i), want = load(ARG(void *, 2), ARG(int, 3), i);
        double error = fabs(got - want), worst;
        int bad = exact ? got != (float)want : !(error <= ARG(double, 6) * fabs(want) + ARG(double, 7));
        memcpy(&worst, &out[1], sizeof worst);
        if (error > worst)
            memcpy(&out[1], &error, sizeof error);
        out[0] += (uint64_t)bad;
        out[3] += bad && !isfinite(got);
        if (bad && i >= ARG(uint64_t, 8) && i < out[2])
            out[2] = i;
    }
}

static void differ(void **args)
{
    const char *a = ARG(char *, 0), *b = ARG(char *, 1);
    unsigned size = ARG(unsigned, 3);
    for (uint64_t i = 0; i < ARG(uint64_t, 2); i++)
        *ARG(uint64_t *, 4) += memcmp(a + i * size, b + i * size, size) != 0;
}

static void hash(void **args)
{
    for (uint64_t i = 0; i < ARG(uint64_t, 1); i++)
        *ARG(uint64_t *, 2) += mix((i << 32 | ARG(unsigned *, 0)[i]) + 0x9e3779b97f4a7c15u);
}

static void store_clocks(void **args)
{
    for (unsigned i = 0; i < ARG(unsigned, 1); i++) {
        ARG(uint64_t *, 0)[2 * i] = (uint64_t)(now * 1e9);
        ARG(uint64_t *, 0)[2 * i + 1] = (uint64_t)cycles;
    }
}

static int run_own(const char *name, void **args)
{
    static const struct { const char *name; void (*run)(void **); } own[] = {
        {"wd_fill", fill}, {"wd_compare", compare}, {"wd_differ", differ}, {"wd_hash", hash}, {"wd_clock", store_clocks},
    };
    pass(fake_number(name, 1e-6), 1);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            own[i].run(args);
    return 0;
}

static void transpose(const struct CUfunc_st *f, void **args)
{
    const char *how = f->module->behaviour;
    float *out = ARG(float *, 0), *in = ARG(float *, 1);
    size_t n = (size_t)ARG(int, 2), count = n * n;
    if (!strcmp(f->name, "reference")) {
        for (size_t i = 0; i < count; i++)
            ((double *)(void *)out)[i % n * n + i / n] = in[i];
        return;
    }
    if (!strcmp(how, "nothing") || (!strcmp(how, "stale") && f->module->launches++))
        return;
    for (size_t i = 0; i < count - (strcmp(how, "tail") ? 0 : 32); i++)
        out[i] = !strcmp(how, "zeros") ? 0 : !strcmp(how, "input") ? in[i] : in[i % n * n + i / n];
    if (!strcmp(how, "off"))
        out[count / 2] += 3e-6f;
    if (!strcmp(how, "canary"))
        out[count] = 1;
    if (!strcmp(how, "writes"))
        in[0] += 1;
}

static void take_time(double seconds)
{
    double normal = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
    double outlier = uniform() < fake_number("outlier_share", 0) ? fake_number("outlier_size", 2) : 1;
    double clock = uniform() < fake_number("slow_share", 0) ? fake_number("slow_clock", 0.5) : 1;
    pass(seconds * (1 + drifted) * (1 + fake_number("noise", 0.005) * normal) * outlier / clock, clock);
    drifted += fake_number("drift", 0);
}

cu_result cuLaunchKernel(cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                         unsigned shared, cu_stream s, void **args, void **extra)
{
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)s, (void)extra;
    CALL();
    if (!strncmp(f->name, "wd_", 3))
        return run_own(f->name, args);
    if (!strcmp(f->module->behaviour, "fault"))
        return lost = CU_ILLEGAL_ADDRESS;
    endless = endless || !strcmp(f->module->behaviour, "endless");
    transpose(f, args);
    take_time(f->module->seconds > 0 ? f->module->seconds : 1e-4);
    return 0;
}
