/* A GPU in host memory: streams that execute at once, each on its virtual clock, and kernels in C.
 * A stream that waits for an event goes on at the event's time or its own, whichever is later.
 *
 * What a test kernel does is said by a marker in its source, "fake: BEHAVIOUR SECONDS SEED": move
 * (a transposition), zeros, nothing, input, off (one element wrong), tail (the last 32 missing),
 * canary (one write beyond), writes (into the input), stale (only the first launch writes), fault
 * (error 700), hungry (a launch that is refused, error 701), endless,
 * garbage (an element is what shared memory held, which is right after a
 * launch of the same kernel), adds (to what the output held), wobble (every other launch rounds an
 * element otherwise), race (an element comes and goes), vector (error 716 unless the output lies on
 * 16 bytes), beyond (error 700 where nothing is mapped behind the input), shouts (prints escape
 * sequences without end), tempt (tries everything, see tempt.h, and prints how it went), and a
 * worker that was taken over and answers by itself: see takeover.h.
 * Plan: noise, outlier_share and outlier_size; drift (each launch that much slower than the one
 * before it); slow_share and slow_clock (that share of launches runs at so much of the rated
 * clock); the name of one of the runner's own kernels: its seconds. A SEED other than 0 begins the
 * noise and the drift anew when its source is loaded. `gpus` is how many devices there are (1); of
 * two the second is another model with other_gpu 1, and neither reaches into the other with
 * no_peers 1.
 * Calls of several threads come one after the other. WARPDRILL_FAKE_CALLS names a file to which
 * calls that make up a program of the host are appended, a line each, with the stream's number. */
#include "kernels/runner/api.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <sys/mman.h>

#include "tests/fakes/cubin.h"
#include "tests/fakes/fake.h"
#include "tests/fakes/own_kernels.h"
#include "tests/fakes/takeover.h"
#include "tests/fakes/tempt.h"

double fake_stream_at(cu_stream s);
void fake_stream_pass(cu_stream s, const char *name, double from, double seconds);
#define DECLARE(name, result, parameters, needed) result name parameters;
CUDA_CALLS(DECLARE)

enum { SMS = 4, L2 = 1 << 20, CLOCK_KHZ = 1000000, SHARED_BLOCK = 232448 };
struct CUmod_st { char *text, behaviour[32]; double seconds; int launches, device; };
struct CUfunc_st { char name[64]; struct CUmod_st *module; int takes_three; };
struct CUevent_st { double at; };
struct CUstream_st { double at; int device; };

static struct CUstream_st streams[32] = {{1, 0}},
                          *on = streams; /* on: the stream that the call at hand is about */
static int n_streams = 1;
#define now (on->at)      /* virtual seconds */

/* The kernels that ran, for the fake CUPTI. */
struct fake_kernel fake_kernels[FAKE_KERNELS];
int fake_n_kernels;

static __thread int device;       /* of the thread's current context */
static int reaches[8][8];         /* peer access was enabled */

static double cycles = 1; /* of every SM */
static double drifted;    /* by so much the next launch is slower */
static int lost;       /* a sticky error */
static int endless;
static uint64_t seed = 1;

static void pass(double seconds, double clock)
{
    now += seconds;
    if (on == streams)
        cycles += seconds * clock * 1e3 * CLOCK_KHZ;
}

static double uniform(void)
{
    return (double)(mix(seed += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

static int note(int result)
{
    static const int sticky[] = {214, 220, 226, 700, 702, 710, 714,
                                 715, 716, 717, 718, 719, 721, 999};
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++)
        if (sticky[i] == result)
            lost = result;
    return result;
}

/* One call at a time; a kernel's library calls another of its own. */
static pthread_mutex_t big = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int begin(void) { return pthread_mutex_lock(&big); }
static void end(int *held) { (void)held; pthread_mutex_unlock(&big); }

#define CALL() \
    int held_ __attribute__((cleanup(end))) = begin(); \
    (void)held_; \
    do { \
        static int calls_; \
        int result_ = lost ? lost : note(fake_result(__func__, ++calls_)); \
        if (result_) \
            return result_; \
    } while (0)

static void tell_call(const char *what, cu_stream s)
{
    static int fd = -1;
    const char *path = getenv("WARPDRILL_FAKE_CALLS");
    if (fd < 0 && path)
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0)
        dprintf(fd, "%s %d\n", what, s ? (int)(s - streams) : 0);
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
    device = d;
    return 0;
}
cu_result cuCtxSetCurrent(cu_context ctx)
{
    CALL();
    device = (int)((uintptr_t)ctx - 8);
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
    int *there = &reaches[device][(uintptr_t)peer - 8];
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
    tell_call("all", NULL);
    while (endless)
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

/* ---- memory ---- */

static void fake_copy(cu_stream s);

enum { BLOCKS = 4096 };
static struct block { char *at; size_t bytes; int device; } blocks[BLOCKS];

static struct block *free_block(void)
{
    for (int i = 0; i < BLOCKS; i++)
        if (!blocks[i].at)
            return &blocks[i];
    return NULL;
}

cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    CALL();
    *free_bytes = *total = (size_t)1 << 30;
    return 0;
}
cu_result cuMemAlloc_v2(cu_ptr *out, size_t bytes)
{
    CALL();
    size_t whole = (bytes + 255) / 256 * 256;
    struct block *b = free_block();
    void *p = b ? aligned_alloc(256, whole) : NULL;
    *out = (cu_ptr)(uintptr_t)p;
    if (!p)
        return CU_OUT_OF_MEMORY;
    *b = (struct block){p, whole, device};
    return 0;
}
cu_result cuMemFree_v2(cu_ptr p)
{
    for (int i = 0; i < BLOCKS && p; i++)
        if (blocks[i].at == (char *)(uintptr_t)p)
            blocks[i] = (struct block){0};
    free((void *)(uintptr_t)p);
    CALL();
    return 0;
} /* what is released is gone even if it says otherwise */
cu_result cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    (void)flags;
    CALL();
    *out = calloc(1, bytes);
    return 0;
}
cu_result cuMemFreeHost(void *p) { free(p); CALL(); return 0; }
cu_result cuMemHostGetDevicePointer_v2(cu_ptr *out, void *host, unsigned flags)
{
    (void)flags;
    CALL();
    *out = (cu_ptr)(uintptr_t)host;
    return 0;
}
cu_result cuMemcpyHtoD_v2(cu_ptr to, const void *from, size_t n)
{
    CALL();
    memcpy((void *)(uintptr_t)to, from, n);
    return 0;
}
cu_result cuMemcpyDtoH_v2(void *to, cu_ptr from, size_t n)
{
    CALL();
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}
cu_result cuMemcpyHtoDAsync_v2(cu_ptr to, const void *from, size_t n, cu_stream s)
{
    CALL();
    fake_copy(s);
    memcpy((void *)(uintptr_t)to, from, n);
    return 0;
}
cu_result cuMemcpyDtoHAsync_v2(void *to, cu_ptr from, size_t n, cu_stream s)
{
    CALL();
    fake_copy(s);
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}
cu_result cuMemcpyDtoDAsync_v2(cu_ptr to, cu_ptr from, size_t n, cu_stream s)
{
    (void)s;
    CALL();
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}
cu_result cuMemcpyPeerAsync(cu_ptr to, cu_context there, cu_ptr from, cu_context here, size_t n,
                            cu_stream s)
{
    CALL();
    if (!reaches[(uintptr_t)here - 8][(uintptr_t)there - 8])
        return 217;
    fake_copy(s);
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}
cu_result cuMemsetD8Async(cu_ptr p, unsigned char v, size_t n, cu_stream s)
{
    (void)s;
    CALL();
    memset((void *)(uintptr_t)p, v, n);
    return 0;
}

/* Virtual memory is the host's own, whose pages are as small. */
enum { GRAIN = 4096, RANGES = 64 };
static struct range { char *at; size_t mapped, reserved; } ranges[RANGES];

static struct range *range_of(cu_ptr p)
{
    char *at = (char *)(uintptr_t)p;
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].at && at >= ranges[i].at && at < ranges[i].at + ranges[i].reserved)
            return &ranges[i];
    return NULL;
}

/* Reserved, and not mapped. */
static int is_no_mans_land(const void *p)
{
    const struct range *r = range_of((cu_ptr)(uintptr_t)p);
    return r && (const char *)p >= r->at + r->mapped;
}

/* Do so many bytes lie in memory of the device? */
static int is_ours(const void *p, size_t bytes)
{
    const char *at = p;
    const struct range *r = range_of((cu_ptr)(uintptr_t)p);
    if (r)
        return bytes <= (size_t)(r->at + r->reserved - at);
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].at && at >= blocks[i].at && at < blocks[i].at + blocks[i].bytes)
            return bytes <= (size_t)(blocks[i].at + blocks[i].bytes - at) &&
                   (blocks[i].device == device || reaches[device][blocks[i].device]);
    return 0;
}

cu_result cuMemGetAllocationGranularity(size_t *out, const struct cu_memory_kind *kind, int which)
{
    (void)kind, (void)which;
    CALL();
    *out = GRAIN;
    return 0;
}
cu_result cuMemCreate(cu_memory *out, size_t bytes, const struct cu_memory_kind *kind,
                      unsigned long long flags)
{
    (void)bytes, (void)kind, (void)flags;
    CALL();
    *out = 1;
    return 0;
}
cu_result cuMemRelease(cu_memory m) { (void)m; CALL(); return 0; }

cu_result cuMemAddressReserve(cu_ptr *out, size_t bytes, size_t align, cu_ptr wish,
                              unsigned long long flags)
{
    int i = 0;
    (void)align, (void)wish, (void)flags;
    CALL();
    while (i < RANGES && ranges[i].at)
        i++;
    void *p = i < RANGES
                  ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                  : MAP_FAILED;
    if (p == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    ranges[i] = (struct range){p, 0, bytes};
    *out = (cu_ptr)(uintptr_t)p;
    return 0;
}

cu_result cuMemAddressFree(cu_ptr p, size_t bytes)
{
    struct range *r = range_of(p);
    if (r) {
        munmap(r->at, bytes);
        *r = (struct range){0};
    }
    CALL();
    return r ? 0 : CU_INVALID_VALUE;
}

cu_result cuMemMap(cu_ptr p, size_t bytes, size_t offset, cu_memory m, unsigned long long flags)
{
    struct range *r = range_of(p);
    (void)offset, (void)m, (void)flags;
    CALL();
    if (!r || mprotect(r->at, bytes, PROT_READ | PROT_WRITE))
        return CU_INVALID_VALUE;
    r->mapped = bytes;
    return 0;
}

cu_result cuMemUnmap(cu_ptr p, size_t bytes)
{
    struct range *r = range_of(p);
    (void)bytes;
    if (r)
        r->mapped = 0;
    CALL();
    return 0;
}
cu_result cuMemSetAccess(cu_ptr p, size_t bytes, const struct cu_memory_access *access, size_t n)
{
    (void)p, (void)bytes, (void)access, (void)n;
    CALL();
    return 0;
}

/* ---- stream and events ---- */

/* The first stream that is made is the main one, whose clock the SMs have. */
cu_result cuStreamCreate(cu_stream *out, unsigned flags)
{
    static int made;
    (void)flags;
    CALL();
    if (n_streams == (int)(sizeof streams / sizeof *streams))
        return CU_OUT_OF_MEMORY;
    *out = made++ ? &streams[n_streams++] : streams;
    (*out)->at = streams->at;
    (*out)->device = device;
    return 0;
}

cu_result cuStreamDestroy_v2(cu_stream s)
{
    if (n_streams > 1 &&
        s == &streams[n_streams - 1]) /* the last one made is there to be made again */
        n_streams--;
    CALL();
    return 0;
}

static void turn_to(cu_stream s) { on = s ? s : streams; }

static struct fake_kernel *fake_record(cu_stream s, const char *name)
{
    struct fake_kernel *k = &fake_kernels[fake_n_kernels++ % FAKE_KERNELS];
    turn_to(s);
    *k = (struct fake_kernel){.start = now, .end = now, .device = on->device};
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

static void fake_copy(cu_stream s)
{
    struct fake_kernel *k = fake_record(s, "");
    pass(1e-5, 1);
    k->copy = 1;
    k->end = now;
}

/* For the fake NCCL: where the stream is, and a kernel on it. */
double fake_stream_at(cu_stream s)
{
    int held __attribute__((cleanup(end))) = begin();
    (void)held;
    return s->at;
}
void fake_stream_pass(cu_stream s, const char *name, double from, double seconds)
{
    int held __attribute__((cleanup(end))) = begin();
    (void)held;
    struct fake_kernel *k = fake_record(s, name);
    now = from;
    k->start = from;
    pass(seconds, 1);
    k->end = now;
}

cu_result cuStreamWaitEvent(cu_stream s, cu_event e, unsigned flags)
{
    (void)flags;
    CALL();
    turn_to(s);
    if (e->at > now)
        pass(e->at - now, 1);
    return 0;
}
cu_result cuStreamQuery(cu_stream s) { (void)s; CALL(); return endless ? CU_NOT_READY : 0; }
cu_result cuStreamSynchronize(cu_stream s)
{
    CALL();
    tell_call("wait", s);
    while (endless)
        pause();
    return 0;
}
cu_result cuEventCreate(cu_event *out, unsigned flags)
{
    (void)flags;
    CALL();
    *out = calloc(1, sizeof **out);
    return 0;
}
cu_result cuEventRecord(cu_event e, cu_stream s)
{
    CALL();
    tell_call("event", s);
    turn_to(s);
    pass(1e-6, 1);
    e->at = now;
    return 0;
}
cu_result cuEventQuery(cu_event e) { (void)e; CALL(); return endless ? CU_NOT_READY : 0; }
cu_result cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    CALL();
    *ms = (float)(1e3 * (to->at - from->at));
    return 0;
}
cu_result cuEventDestroy_v2(cu_event e) { free(e); CALL(); return 0; }

/* ---- modules ---- */

/* Machine code is the PTX again. */
struct CUlinkState_st { void *data; size_t bytes; };

cu_result cuLinkCreate_v2(unsigned n, int *options, void **values, cu_link *out)
{
    (void)n, (void)options, (void)values;
    CALL();
    *out = calloc(1, sizeof **out);
    return 0;
}

cu_result cuLinkAddData_v2(cu_link link, int kind, void *data, size_t bytes, const char *name,
                           unsigned n, int *options, void **values)
{
    (void)kind, (void)name, (void)n, (void)options, (void)values;
    CALL();
    link->data = memcpy(malloc(bytes), data, bytes);
    link->bytes = bytes;
    return 0;
}

cu_result cuLinkComplete(cu_link link, void **cubin, size_t *bytes)
{
    CALL();
    *cubin = link->data;
    *bytes = link->bytes;
    return 0;
}

cu_result cuLinkDestroy(cu_link link)
{
    free(link->data);
    free(link);
    CALL();
    return 0;
}

cu_result cuModuleLoadDataEx(cu_module *out, const void *image, unsigned n, int *options,
                             void **values)
{
    (void)n, (void)options, (void)values;
    CALL();
    tell_call("load", NULL);
    if (!strncmp(image, ELFMAG, SELFMAG))
        image = (const char *)image + ((const struct cubin *)image)->head.e_entry;
    const char *marker = strstr(image, "fake: ");
    uint64_t begin = 0;
    *out = calloc(1, sizeof **out);
    (*out)->device = device;
    (*out)->text = strdup(image);
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
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].module == m)
            functions[i].module = NULL;
    free(m->text);
    free(m);
    CALL();
    tell_call("unload", NULL);
    return 0;
}

/* Behind `.entry NAME` of PTX; NULL: it has none. */
static const char *find_entry(const char *text, const char *name)
{
    static const char entry[] = ".entry ";
    size_t n = strlen(name);
    while ((text = strstr(text, entry))) {
        text += sizeof entry - 1;
        if (!strncmp(text, name, n) && (text[n] == '(' || text[n] == ' '))
            return text + n;
    }
    return NULL;
}

static int has_three(const char *list)
{
    int n = 0;
    const char *end = strchr(list, ')');
    while ((list = strstr(list, ".param")) && list < end) {
        list++;
        n++;
    }
    return n >= 3;
}

/* Of PTX that is an image the kernels are known; one that says by no marker what it does, or that
 * has too few parameters for a transposition, takes time and does nothing. What the fake compiler
 * gives is a source, of which any name is a kernel that takes what it is given. */
cu_result cuModuleGetFunction(cu_function *out, cu_module m, const char *name)
{
    size_t i = 0, n = sizeof functions / sizeof *functions;
    const char *given = strstr(m->text, ".version "), *entry = find_entry(m->text, name);
    CALL();
    if (given && !entry)
        return CU_NOT_FOUND;
    while (i < n && functions[i].module &&
           (functions[i].module != m || strcmp(functions[i].name, name) != 0))
        i++;
    if (i == n)
        return CU_OUT_OF_MEMORY;
    *out = &functions[i];
    snprintf((*out)->name, sizeof (*out)->name, "%s", name);
    (*out)->module = m;
    (*out)->takes_three = !given || (*m->behaviour && has_three(entry));
    return 0;
}

cu_result cuFuncGetAttribute(int *out, int attribute, cu_function f)
{
    (void)f;
    CALL();
    *out = attribute == CU_FUNC_REGS ? 32 : attribute == CU_FUNC_THREADS_BLOCK ? 1024 : 0;
    return 0;
}
cu_result cuFuncSetAttribute(cu_function f, int attribute, int value)
{
    (void)f, (void)attribute, (void)value;
    CALL();
    return 0;
}
cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, cu_function f, int threads,
                                                      size_t dynamic)
{
    (void)f;
    CALL();
    *out = dynamic > SHARED_BLOCK ? 0 : 2048 / (threads > 0 ? threads : 1);
    return 0;
}

/* ---- kernels ---- */
static void store_clocks(void **args)
{
    for (unsigned i = 0; i < ARG(unsigned, 1); i++) {
        ARG(uint64_t *, 0)[2 * i] = (uint64_t)(now * 1e9);
        ARG(uint64_t *, 0)[2 * i + 1] = (uint64_t)cycles;
    }
}

static int run_own(const char *name, void **args)
{
    static const struct { const char *name; void (*run)(void **);
    } own[] = {
        {"wd_fill", fill},         {"wd_compare", compare},    {"wd_spread", spread},
        {"wd_hash", hash},         {"wd_clock", store_clocks}, {"wd_ruin_shared", ruin_shared},
        {"wd_count_begin", count},
    };
    pass(fake_number(name, 1e-6), 1);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            own[i].run(args);
    return 0;
}

/* Beside a transposition. */
static void misbehave(struct CUmod_st *m, float *out, const float *in, size_t count, float before)
{
    const char *how = m->behaviour;
    if (!strcmp(how, "garbage")) {
        out[0] = shared_word;
        shared_word = in[0];
    }
    if (!strcmp(how, "adds"))
        out[0] += before;
    if (!strcmp(how, "wobble") && m->launches++ % 2)
        out[count / 2] = nextafterf(out[count / 2], 2);
    if (!strcmp(how, "race") && m->launches++ % 3 == 2)
        out[count / 2] = in[0];
}

/* Of a transposition, whose result has elements of so many bytes. */
static int is_outside(void **args, size_t element)
{
    size_t n = (size_t)ARG(unsigned, 2);
    return !is_ours(ARG(char *, 0), n * n * element) || !is_ours(ARG(char *, 1), n * n * 4);
}

/* What the hardware would say of the addresses that the kernel uses, or 0. */
static int objection(const char *how, void **args)
{
    const float *in = ARG(float *, 1);
    size_t n = (size_t)ARG(unsigned, 2);
    if (!strcmp(how, "vector") && ARG(uintptr_t, 0) % 16)
        return CU_MISALIGNED;
    return !strcmp(how, "beyond") && is_no_mans_land(in + n * n) ? CU_ILLEGAL_ADDRESS : 0;
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
    float before = out[0];
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
    misbehave(f->module, out, in, count, before);
}

static void take_time(double seconds)
{
    double normal = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
    double outlier =
        uniform() < fake_number("outlier_share", 0) ? fake_number("outlier_size", 2) : 1;
    double clock = uniform() < fake_number("slow_share", 0) ? fake_number("slow_clock", 0.5) : 1;
    pass(seconds * (1 + drifted) * (1 + fake_number("noise", 0.005) * normal) * outlier / clock,
         clock);
    drifted += fake_number("drift", 0);
}

/* ---- graphs: launches that are kept, with their arguments where they lie ---- */

enum { GRAPH_LAUNCHES = 64 };
struct CUgraph_st { struct { cu_function f; void **args; } launch[GRAPH_LAUNCHES]; int n; };
static struct CUgraph_st *capturing;

cu_result cuStreamBeginCapture_v2(cu_stream s, int mode)
{
    (void)s, (void)mode;
    CALL();
    capturing = calloc(1, sizeof *capturing);
    return 0;
}
cu_result cuStreamEndCapture(cu_stream s, cu_graph *out)
{
    (void)s;
    *out = capturing;
    capturing = NULL;
    CALL();
    return 0;
}
cu_result cuGraphInstantiateWithFlags(cu_graph_exec *out, cu_graph graph, unsigned long long flags)
{
    (void)flags;
    CALL();
    struct CUgraph_st *copy = malloc(sizeof *copy);
    *copy = *graph;
    *out = (cu_graph_exec)copy;
    tell_call("graph made", NULL);
    return 0;
}
cu_result cuGraphDestroy(cu_graph graph) { free(graph); CALL(); return 0; }
cu_result cuGraphExecDestroy(cu_graph_exec graph)
{
    free(graph);
    CALL();
    tell_call("graph given back", NULL);
    return 0;
}
/* The fake GPU holds two blocks an SM at once. */
cu_result cuLaunchKernelEx(const struct cu_launch_config *how, cu_function f, void **args,
                           void **extra)
{
    CALL();
    for (unsigned i = 0; i < how->n_attributes; i++) {
        const struct cu_launch_attribute *a = &how->attributes[i];
        if (a->id == CU_LAUNCH_COOPERATIVE && a->value.on && how->grid[0] > 2 * SMS)
            return 720;
        if (a->id == CU_LAUNCH_CLUSTER && how->grid[0] % a->value.cluster[0])
            return 912;
        if (a->id == CU_LAUNCH_PROGRAMMATIC && !a->value.on)
            return CU_INVALID_VALUE;
    }
    return cuLaunchKernel(f, how->grid[0], how->grid[1], how->grid[2], how->block[0],
                          how->block[1], how->block[2], how->shared, how->stream, args, extra);
}

/* As the driver: a base off 16 bytes, a map off its boundary and a pitch off 16 are refused. */
cu_result cuTensorMapEncodeTiled(struct cu_tensor_map *out, int type, unsigned rank, void *base,
                                 const uint64_t *size, const uint64_t *pitch, const unsigned *box,
                                 const unsigned *stride, int interleave, int swizzle, int promotion,
                                 int fill)
{
    CALL();
    (void)type, (void)size, (void)box, (void)stride;
    (void)interleave, (void)swizzle, (void)promotion, (void)fill;
    if ((uintptr_t)base % 16 || (uintptr_t)out % CU_MAP_ALIGN || (rank > 1 && pitch[0] % 16))
        return CU_INVALID_VALUE;
    memcpy(out->opaque, &base, sizeof base);
    return 0;
}

cu_result cuGraphLaunch(cu_graph_exec exec, cu_stream s)
{
    const struct CUgraph_st *graph = (const struct CUgraph_st *)exec;
    CALL();
    tell_call("graph launched", s);
    for (int i = 0; i < graph->n; i++) {
        int rc = cuLaunchKernel(graph->launch[i].f, 1, 1, 1, 1, 1, 1, 0, s, graph->launch[i].args,
                                NULL);
        if (rc)
            return rc;
    }
    return 0;
}

cu_result cuLaunchKernel(cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned shared, cu_stream s, void **args,
                         void **extra)
{
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
    CALL();
    if (capturing) {
        capturing->launch[capturing->n].f = f;
        capturing->launch[capturing->n++].args = args;
        return 0;
    }
    turn_to(s);
    if (on->device != device || f->module->device != device)
        return 400; /* a stream or a kernel of another context */
    tell_call(f->name, s);
    if (shared > SHARED_BLOCK)
        return CU_INVALID_VALUE;
    if (!strcmp(f->module->behaviour, "hungry"))
        return 701;
    struct fake_kernel *k = fake_record(s, f->name);
    if (!strncmp(f->name, "wd_", 3))
        return run_own(f->name, args);
    if (!strcmp(f->module->behaviour, "prints")) {
        printf("{\"type\":\"done\",\"id\":%d,\"status\":\"ok\"}\nfrom the kernel\n", 1);
        fprintf(stderr, "from the \033[31mdriver\n");
        fflush(stdout);
    }
    while (!strcmp(f->module->behaviour, "shouts"))
        puts("\033[2J\033]0;mine\007\302\233 31m\342\200\256");
    if (!strcmp(f->module->behaviour, "tempt")) {
        char text[256];
        tempt(text, sizeof text);
        puts(text);
        fflush(stdout);
    }
    if (strcmp(f->name, "reference") != 0 && is_taken_over(f->module->behaviour))
        take_over(f->module->behaviour);
    if (!strcmp(f->module->behaviour, "fault"))
        return lost = CU_ILLEGAL_ADDRESS;
    int is_reference = !strcmp(f->name, "reference");
    if (f->takes_three && is_outside(args, is_reference ? sizeof(double) : sizeof(float)))
        return lost = CU_ILLEGAL_ADDRESS;
    if (f->takes_three && !is_reference && (lost = objection(f->module->behaviour, args)))
        return lost;
    endless = endless || !strcmp(f->module->behaviour, "endless");
    if (f->takes_three)
        transpose(f, args);
    take_time(f->module->seconds > 0 ? f->module->seconds : 1e-4);
    k->end = now;
    return 0;
}
