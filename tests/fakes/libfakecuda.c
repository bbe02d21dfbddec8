/* A GPU in host memory: the device of the fake driver, its state, and how each call begins.
 * Streams, memory, modules, kernels and launches stand in files of their own (cuda.h).
 * Plan: `gpus` is how many devices there are (1); of two the second is another model with
 * other_gpu 1, and neither reaches into the other with no_peers 1. Calls of several threads come
 * one after the other. WARPDRILL_FAKE_CALLS names a file to which calls that make up a program of
 * the host are appended, a line each, with the stream's number. */
#include "tests/fakes/cuda.h"

#include "tests/fakes/tempt.h"

__thread int fake_device;
int fake_reaches[8][8];
int fake_lost;
int fake_endless;

static int note(int result)
{
    static const int sticky[] = {214, 220, 226, 700, 702, 710, 714,
                                 715, 716, 717, 718, 719, 721, 999};
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++)
        if (sticky[i] == result)
            fake_lost = result;
    return result;
}

int fake_refusal(const char *call, int n)
{
    return fake_lost ? fake_lost : note(fake_result(call, n));
}

/* One call at a time; a kernel's library calls another of its own. */
static pthread_mutex_t big = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int fake_begin(void) { return pthread_mutex_lock(&big); }
void fake_end(int *held) { (void)held; pthread_mutex_unlock(&big); }

void fake_tell(const char *what, cu_stream s)
{
    static int fd = -1;
    const char *path = getenv("WARPDRILL_FAKE_CALLS");
    if (fd < 0 && path)
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0)
        dprintf(fd, "%s %d\n", what, s ? (int)(s - fake_streams) : 0);
}

/* ---- the device ---- */

static void *idle(void *arg) { for (;;) pause(); return arg; }

/* As a driver does: it names a thread of its own, which the C library writes into /proc. Plan:
 * needs_home 1, a driver that wants to write there, too. */
static int is_at_home(void)
{
    pthread_t t;
    return pthread_create(&t, NULL, idle, NULL) == 0 && pthread_setname_np(t, "fake-driver") == 0 &&
           (fake_number("needs_home", 0) <= 0 || tempt_write_home());
}

cu_result cuInit(unsigned flags)
{
    (void)flags;
    CALL();
    return is_at_home() ? 0 : 304 /* CUDA_ERROR_OPERATING_SYSTEM */;
}

cu_result cuDriverGetVersion(int *version) { CALL(); *version = 13000; return 0; }

cu_result cuGetErrorName(cu_result e, const char **out)
{
    FAKE_CALL();
    *out = e == CU_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
           : e == CU_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
           : e == 701              ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
                                   : "CUDA_ERROR_FAKE";
    return 0;
}

cu_result cuGetErrorString(cu_result e, const char **out)
{
    FAKE_CALL();
    *out = e == CU_ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
           : e == CU_INVALID_VALUE ? "invalid argument"
           : e == 701              ? "too many resources requested for launch"
                                   : "an error of the fake";
    return 0;
}

cu_result cuDeviceGetCount(int *n) { CALL(); *n = (int)fake_number("gpus", 1); return 0; }

cu_result cuDeviceGet(cu_device *out, int ordinal) { CALL(); *out = ordinal; return 0; }

cu_result cuDeviceGetName(char *name, int len, cu_device d)
{
    CALL();
    snprintf(name, (size_t)len, d && fake_number("other_gpu", 0) > 0 ? "Other GPU" : "Fake GPU");
    return 0;
}

cu_result cuDeviceGetUuid_v2(struct cu_uuid *out, cu_device d)
{
    (void)d;
    CALL();
    memset(out, 7, sizeof *out);
    return 0;
}

cu_result cuDeviceGetPCIBusId(char *id, int len, cu_device d)
{
    (void)d;
    CALL();
    snprintf(id, (size_t)len, "0000:01:00.0");
    return 0;
}

cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device d)
{
    (void)d;
    CALL();
    *bytes = (size_t)1 << 30;
    return 0;
}

cu_result cuDevicePrimaryCtxRetain(cu_context *out, cu_device d)
{
    CALL();
    *out = (cu_context)(uintptr_t)(8 + d);
    fake_device = d;
    return 0;
}

cu_result cuCtxSetCurrent(cu_context ctx)
{
    CALL();
    fake_device = (int)((uintptr_t)ctx - 8);
    return 0;
}

cu_result cuDeviceCanAccessPeer(int *out, cu_device d, cu_device peer)
{
    CALL();
    *out = d != peer && fake_number("no_peers", 0) <= 0;
    return 0;
}

cu_result cuCtxEnablePeerAccess(cu_context peer, unsigned flags)
{
    int *there = &fake_reaches[fake_device][(uintptr_t)peer - 8];
    (void)flags;
    CALL();
    if (*there)
        return CU_PEER_ALREADY;
    *there = 1;
    return 0;
}

cu_result cuCtxSynchronize(void)
{
    CALL();
    fake_tell("all", NULL);
    while (fake_endless)
        pause();
    return 0;
}

cu_result cuCtxSetLimit(int limit, size_t value) { (void)limit, (void)value; CALL(); return 0; }

cu_result cuCtxResetPersistingL2Cache(void) { CALL(); return 0; }

cu_result cuDeviceGetAttribute(int *out, int attribute, cu_device d)
{
    static const int table[][2] = {
        {CU_ATTR_THREADS_BLOCK, 1024},
        {CU_ATTR_SMEM_BLOCK, 49152},
        {CU_ATTR_WARP_SIZE, 32},
        {CU_ATTR_CLOCK_KHZ, CLOCK_KHZ},
        {CU_ATTR_SM_COUNT, SMS},
        {CU_ATTR_MEM_CLOCK_KHZ, 3000000},
        {CU_ATTR_BUS_BITS, 5120},
        {CU_ATTR_L2_BYTES, L2},
        {CU_ATTR_THREADS_SM, 2048},
        {CU_ATTR_MAJOR, 9},
        {CU_ATTR_MINOR, 0},
        {CU_ATTR_SMEM_SM, 233472},
        {CU_ATTR_REGS_SM, 65536},
        {CU_ATTR_FP64_RATIO, 2},
        {CU_ATTR_SMEM_OPTIN, SHARED_BLOCK},
        {CU_ATTR_BLOCKS_SM, 32},
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
