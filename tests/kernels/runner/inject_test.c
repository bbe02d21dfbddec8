/* Every call of the driver, CUPTI, NVRTC and NVML fails once with each of a list of results, the
 * first time it is made and a later time, while the runner is at work: the request ends with the
 * right code, the call's name and a remedy, or is none the worse; the next request works; no
 * process crashed, leaked or is left. */
#include "tests/kernels/runner/talk.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "kernels/runner/api.h"
#include "tests/fakes/fake.h"
#include "tests/unit.h"

enum {
    AT_LATER = 3,
    TRIES = 3,
    COMMON = 4, /* so many results may come of any call; of the others one is tried in turn */
    EVERYWHERE = ONE_OF > 1 ? 1 : COMMON, /* of the common ones, at each call's first use */
    LATER = ONE_OF > 1 ? 1 : 2            /* and at a later one */
};

/* What a result means, said here once more by hand. */
struct meaning { int result; const char *code, *remedy; bool sticky; };
static const struct meaning cuda_meanings[] = {
    {2, "memory", "nvidia-smi", false},
    {700, "fault", "compute-sanitizer", true},
    {803, "no-gpu", "modprobe", false},
    {999, "fault", "dmesg", true},
    {46, "busy", "nvidia-smi -c DEFAULT", false},
    {100, "no-gpu", "--gpus all", false},
    {209, "unsupported", "NVRTC", false},
    {214, "fault", "nvidia-smi -q -d ECC", true},
    {220, "fault", "nvlink -e", true},
    {222, "unsupported", "update the driver", false},
    {601, "internal", "dmesg", false},
    {701, "launch", "__launch_bounds__", false},
    {702, "fault", "half a second", true},
    {710, "fault", "assert", true},
    {715, "fault", "__trap", true},
    {716, "fault", "16-byte", true},
    {719, "fault", "compute-sanitizer", true},
    {720, "launch", "blocks_per_sm", false},
    {800, "permission", "MIG", false},
    {802, "no-gpu", "nvidia-fabricmanager", false},
    {804, "no-gpu", "cuda-compat", false},
};
static const struct meaning cupti_meanings[] = {
    {35, "permission", "NVreg_RestrictProfilingToAdminUsers=0", false},
    {26, "busy", "dcgmi profile --pause", false},
    {43, "unsupported", "nvidia-smi -mig 0", false},
    {777, "unsupported", "cuda-cupti", false},
    {8, "memory", "nvidia-smi", false},
    {15, "unsupported", "update the driver", false},
    {39, "busy", "ncu", false},
    {40, "permission", "vGPU", false},
    {41, "unsupported", "confidential", false},
    {42, "unsupported", "another GPU", false},
    {45, "unsupported", "Windows", false},
};
static const struct meaning nvrtc_meanings[] = {
    {1, "memory", "memory", false},
    {7, "unsupported", "libnvrtc-builtins.so", false},
    {11, "internal", "cuda-nvrtc", false},
};
static const struct meaning nvml_meanings[] = {{3, "", "", false},
                                               {15, "", "", false},
                                               {999, "", "", false}};

#define NAME(name, result, parameters, needed) #name,
static const char *const cuda_calls[] = {CUDA_CALLS(NAME) NULL},
                         *const cupti_calls[] = {CUPTI_CALLS(NAME) NULL},
                         *const nvrtc_calls[] = {NVRTC_CALLS(NAME) NULL},
                         *const nvml_calls[] = {NVML_CALLS(NAME) NULL};

/* Their failure alone harms nobody: names and releases, wishes, records for which events stand in,
 * places of samples. */
static const char harmless[] =
    " cuGetErrorName cuGetErrorString cuFuncSetAttribute cuCtxSetLimit cuCtxResetPersistingL2Cache "
    "cuMemFree_v2 cuMemFreeHost cuEventDestroy_v2 cuStreamDestroy_v2 cuModuleUnload cuMemUnmap "
    "cuGraphDestroy cuGraphExecDestroy cuMemRelease cuMemAddressFree cuptiGetVersion "
    "cuptiGetResultString cuptiProfilerDeInitialize "
    "cuptiRangeProfilerDisable cuptiProfilerHostDeinitialize cuptiPCSamplingDisable "
    "cuptiActivityRegisterCallbacks cuptiActivityEnable cuptiActivityDisable cuptiActivityFlushAll "
    "cuptiActivityGetNextRecord cuptiGetCubinCrc cuptiGetSassToSourceCorrelation "
    "nvrtcDestroyProgram nvrtcGetProgramLogSize nvrtcGetProgramLog ";

/* Their failure may also pass unnoticed: what is asked again is asked of the next call, and a
 * further set of buffers that has no room is done without. */
static const char forgiven[] =
    " cuptiProfilerHostInitialize cuptiProfilerHostConfigAddMetrics cuMemAlloc_v2 ";

/* What is asked for, one after the other until the call is made. */
static const char *const items[] = {
    "{\"probe\":\"resources\",\"runs\":[\"a\"]},{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":"
    "\"r\"},{\"probe\":\"timing\",\"runs\":[\"a\"]},{\"probe\":\"memory\",\"runs\":[\"a\"]}",
    "{\"probe\":\"poison\",\"runs\":[\"a\"],\"against\":\"r\"},{\"probe\":\"check\",\"runs\":["
    "\"a\"],\"against\":\"r\",\"fence\":true},{\"probe\":\"timeline\",\"runs\":[\"a\"]},{\"probe\":"
    "\"lines\",\"runs\":[\"a\"]}",
    "{\"probe\":\"timing\",\"runs\":[\"h\"]},{\"probe\":\"timeline\",\"runs\":[\"h\"]}",
};

struct bench {
    struct talk talk;
    const char *items;
    struct fake_fault *fault;
    char folder[64], file[80];
    int id, reached, cases;
};

static bool is_in(const char *list, const char *call)
{
    char word[96];
    snprintf(word, sizeof word, " %s ", call);
    return strstr(list, word);
}

static bool is_harmless(const char *call)
{
    return is_in(harmless, call) || !strncmp(call, "nvml", 4);
}

/* ---- one request ---- */

static struct talk_answer request(struct bench *b, const char *wanted)
{
    char behaviour[64];
    b->id++;
    snprintf(behaviour, sizeof behaviour, "move 1e-4 0\\n// %d",
             b->id); /* another text each time: it is compiled */
    talk_measure(&b->talk, b->id, behaviour, 20000, wanted);
    return talk_answer(&b->talk, b->id);
}

/* The worker leaves when it has had nothing to do for some milliseconds, looking for leaks as it
 * goes. */
static void wait_until_idle(struct bench *b)
{
    for (bool idle = false; !idle;) {
        json_t *m = talk_wait(&b->talk, "state");
        assert_non_null(m);
        idle = !strcmp(json_string_value(json_object_get(m, "is")), "idle");
        json_decref(m);
    }
}

static void open_talk(struct bench *b)
{
    talk_open(&b->talk);
}

static void renew(struct bench *b)
{
    assert_int_equal(talk_close(&b->talk), 0);
    open_talk(b);
}

/* ---- one case ---- */

static void fail_case(const char *call, int result, int at, const struct talk_answer *a, const char *why)
{
    fail_msg("%s answers %d at call %d: %s (%s, %s of %s: %s; %s)", call, result, at, why,
             a->status, a->code, a->call, a->text, a->remedy);
}

static void judge(const char *call, const struct meaning *m, int at, const struct talk_answer *a)
{
    bool start = !strcmp(call, "cuInit") || !strcmp(call, "cuDeviceGetCount");
    if (talk_is_good(a)) {
        bool again = !strcmp(call, "cuInit"); /* a worker without the wall around its files starts
                                                 the driver once more */
        if (!again && !is_harmless(call) && (!is_in(forgiven, call) || m->sticky))
            fail_case(call, m->result, at, a, "nobody noticed");
        return;
    }
    if (is_harmless(call) && strcmp(a->call, call) != 0) {
        if (!m->sticky || strcmp(a->code, "fault") != 0 || !*a->remedy)
            fail_case(call, m->result, at, a, "harm from a harmless call");
        return;
    }
    if (strcmp(a->code, start && m->result == 999 ? "no-gpu" : m->code) != 0)
        fail_case(call, m->result, at, a, "the wrong code");
    if (strcmp(a->call, call) != 0)
        fail_case(call, m->result, at, a, "the wrong call");
    if (!strstr(a->remedy, m->remedy))
        fail_case(call, m->result, at, a, "the wrong remedy");
}

static bool try_case(struct bench *b, const char *call, const struct meaning *m, int at)
{
    struct fake_fault *f = b->fault;
    snprintf(f->call, sizeof f->call, "%s", call);
    f->code = m->result;
    f->seen = 0;
    f->at = at;
    for (int i = 0; i < TRIES && f->seen < at; i++) {
        struct talk_answer a = request(b, b->items);
        if (f->seen >= at)
            judge(call, m, at, &a);
        else if (!talk_is_good(&a))
            fail_case(call, 0, at, &a, "a request without a fault failed");
        if (f->seen == 0) /* asked once in a process, if ever */
            break;
    }
    return f->seen >= at;
}

/* In the processes at work, else in new ones. */
static bool run_case(struct bench *b, const char *call, const struct meaning *m, int at,
                     bool compiler)
{
    bool hit = try_case(b, call, m, at);
    if (!hit && at == 1) {
        if (compiler)
            renew(b);
        else
            wait_until_idle(b);
        hit = try_case(b, call, m, at);
    }
    b->fault->at = 0;
    struct talk_answer a = request(b, "{\"probe\":\"resources\",\"runs\":[\"a\"]}");
    if (hit && m->sticky && is_harmless(call) && !talk_is_good(&a))
        fail_case(call, m->result, at, &a,
                  "a fault that a release told of was kept for the next request");
    if (!talk_is_good(&a))
        fail_case(call, m->result, at, &a, "the request after the fault failed");
    b->cases++;
    return hit;
}

static void run_calls(struct bench *b, const char *const *calls, const struct meaning *meanings,
                      size_t n, bool compiler)
{
    char missed[4096] = "";
    for (size_t turn = 0; *calls; calls++) {
        bool hit = false;
        for (size_t k = 0; k < sizeof items / sizeof *items && !hit; k++) {
            b->items = items[k];
            hit = run_case(b, *calls, &meanings[0], 1, compiler);
        }
        b->reached += hit;
        if (!hit)
            snprintf(missed + strlen(missed), sizeof missed - strlen(missed), " %s", *calls);
        for (size_t i = 1; hit && i < n && i < EVERYWHERE; i++)
            run_case(b, *calls, &meanings[i], 1, compiler);
        for (size_t i = 0; hit && i < n && i < LATER; i++)
            run_case(b, *calls, &meanings[i], AT_LATER, compiler);
        if (hit && n > COMMON)
            run_case(b, *calls, &meanings[COMMON + turn++ % (n - COMMON)], 1, compiler);
        if (!compiler)
            wait_until_idle(b);
    }
    print_message("# %d cases, %d calls reached; not made by this request:%s\n", b->cases,
                  b->reached, missed);
}

/* ---- the four libraries ---- */

static char left[64]; /* the folder of the test at hand */

static int sweep(void **state)
{
    char *command = text_format("rm -rf %s", left);
    int rc = *left ? system(command) : 0;
    free(command);
    return rc;
}

static void open_bench(struct bench *b)
{
    char options[512];
    const char *given = getenv("ASAN_OPTIONS");
    *b = (struct bench){.folder = "/tmp/warpdrill-inject-XXXXXX"};
    assert_non_null(mkdtemp(b->folder));
    memcpy(left, b->folder, sizeof left);
    snprintf(b->file, sizeof b->file, "%s/fault", b->folder);
    int fd = open(b->file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, sizeof *b->fault), 0);
    b->fault = mmap(NULL, sizeof *b->fault, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(b->fault != MAP_FAILED);
    close(fd);
    snprintf(options, sizeof options, "%s:log_path=%s/sanitizer", given ? given : "", b->folder);
    setenv("ASAN_OPTIONS", options, 1);
    setenv("WARPDRILL_FAKE_FAULT", b->file, 1);
    setenv("WARPDRILL_IDLE_MS", "40", 1);
    talk_cupti = "libfakecupti.so";
    talk_nvml = "libfakenvml.so";
    open_talk(b);
}

static void close_bench(struct bench *b)
{
    assert_int_equal(talk_close(&b->talk), 0);
    char *clean = text_format("cat %s/sanitizer.* 2>/dev/null | head -60; test -z \"$(ls %s | grep "
                              "sanitizer)\"",
                              b->folder, b->folder);
    int reports = system(clean);
    free(clean);
    munmap(b->fault, sizeof *b->fault);
    assert_int_equal(reports, 0); /* no child wrote a sanitizer's report */
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void each_driver_call(void **state)
{
    struct bench b;
    open_bench(&b);
    run_calls(&b, cuda_calls, cuda_meanings, COUNT(cuda_meanings), false);
    assert_true(b.reached >= 38);
    close_bench(&b);
}

static void each_profiler_call(void **state)
{
    struct bench b;
    open_bench(&b);
    run_calls(&b, cupti_calls, cupti_meanings, COUNT(cupti_meanings), false);
    assert_true(b.reached >= 35);
    close_bench(&b);
}

static void each_compiler_call(void **state)
{
    struct bench b;
    open_bench(&b);
    run_calls(&b, nvrtc_calls, nvrtc_meanings, COUNT(nvrtc_meanings), true);
    assert_true(b.reached >= 12);
    close_bench(&b);
}

static void each_management_call(void **state)
{
    struct bench b;
    open_bench(&b);
    run_calls(&b, nvml_calls, nvml_meanings, COUNT(nvml_meanings), false);
    assert_true(b.reached >= 5);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_driver_call, sweep),
        cmocka_unit_test_teardown(each_profiler_call, sweep),
        cmocka_unit_test_teardown(each_compiler_call, sweep),
        cmocka_unit_test_teardown(each_management_call, sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
