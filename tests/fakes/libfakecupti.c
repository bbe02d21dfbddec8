/* Activity records of the kernels that ran on the fake driver, delivered in buffers of a few
 * records; the plan's `cupti_loses` takes that many records away. And a profiler of two passes. A
 * counter's value is the plan's number of that name, else 1; a name whose number is below zero is
 * one that the chip does not have. Calls out of order answer 999. */
#include "kernels/runner/api.h"

#include <dlfcn.h>

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
CUPTI_CALLS(DECLARE)

enum { IMAGE_BYTES = 64, PASSES = 2, OUT_OF_ORDER = 999 };
static int attached, enabled, started, passes, decoded, recording;
static char object; /* its address is every handle */

#define IN_ORDER(condition) \
    do { \
        FAKE_CALL(); \
        if (!(condition)) \
            return OUT_OF_ORDER; \
    } while (0)

cupti_result cuptiGetVersion(uint32_t *version) { FAKE_CALL(); *version = 130001; return 0; }
cupti_result cuptiGetResultString(cupti_result e, const char **out)
{
    FAKE_CALL();
    *out =
        e == CUPTI_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR_OF_THE_FAKE";
    return 0;
}

/* ---- the device ---- */

cupti_result cuptiProfilerInitialize(struct cupti_init *p)
{
    (void)p;
    IN_ORDER(!attached);
    attached = 1;
    return 0;
}
cupti_result cuptiProfilerDeInitialize(struct cupti_init *p)
{
    int was = attached && !enabled;
    (void)p;
    attached = 0;
    IN_ORDER(was);
    return 0;
}
cupti_result cuptiProfilerDeviceSupported(struct cupti_supported *p)
{
    IN_ORDER(attached);
    p->supported = p->architecture = p->sli = p->vgpu = p->confidential = p->cmp = p->wsl =
        CUPTI_SUPPORTED;
    return 0;
}
cupti_result cuptiDeviceGetChipName(struct cupti_chip *p)
{
    IN_ORDER(attached);
    p->chip = "FK100";
    return 0;
}
cupti_result cuptiProfilerGetCounterAvailability(struct cupti_availability *p)
{
    IN_ORDER(attached);
    if (p->image)
        memset(p->image, 1, IMAGE_BYTES);
    p->image_size = IMAGE_BYTES;
    return 0;
}

/* ---- the host ---- */

cupti_result cuptiProfilerHostInitialize(struct cupti_host_init *p)
{
    IN_ORDER(p->availability && p->availability[IMAGE_BYTES - 1] == 1);
    p->host = &object;
    return 0;
}
cupti_result cuptiProfilerHostDeinitialize(struct cupti_host_deinit *p)
{
    IN_ORDER(p->host == &object);
    return 0;
}
cupti_result cuptiProfilerHostGetSupportedChips(struct cupti_host_chips *p)
{
    static const char *const chips[] = {"FK100"};
    FAKE_CALL();
    p->n = 1;
    p->chips = chips;
    return 0;
}
cupti_result cuptiProfilerHostConfigAddMetrics(struct cupti_host_add *p)
{
    IN_ORDER(p->host == &object);
    for (size_t i = 0; i < p->n; i++)
        if (fake_number(p->names[i], 1) < 0)
            return CUPTI_BAD_METRIC;
    return 0;
}
cupti_result cuptiProfilerHostGetConfigImageSize(struct cupti_host_config_size *p)
{
    IN_ORDER(p->host == &object);
    p->bytes = IMAGE_BYTES;
    return 0;
}
cupti_result cuptiProfilerHostGetConfigImage(struct cupti_host_config *p)
{
    IN_ORDER(p->bytes == IMAGE_BYTES);
    memset(p->image, 2, p->bytes);
    return 0;
}
cupti_result cuptiProfilerHostGetNumOfPasses(struct cupti_host_passes *p)
{
    IN_ORDER(p->image[0] == 2);
    p->passes = PASSES;
    return 0;
}
cupti_result cuptiProfilerHostEvaluateToGpuValues(struct cupti_host_evaluate *p)
{
    IN_ORDER(decoded && p->data[0] == 3 && p->range == 0);
    for (size_t i = 0; i < p->n; i++)
        p->values[i] = fake_number(p->names[i], 1);
    return 0;
}

/* ---- the range profiler ---- */

cupti_result cuptiRangeProfilerEnable(struct cupti_range_enable *p)
{
    IN_ORDER(attached && !enabled && !recording && p->ctx);
    enabled = 1;
    p->object = &object;
    return 0;
}
cupti_result cuptiRangeProfilerDisable(struct cupti_range_object *p)
{
    int was = enabled && p->object == &object;
    enabled = started = 0;
    IN_ORDER(was);
    return 0;
}
cupti_result cuptiRangeProfilerGetCounterDataSize(struct cupti_range_data_size *p)
{
    IN_ORDER(enabled && p->n > 0);
    p->bytes = IMAGE_BYTES;
    return 0;
}
cupti_result cuptiRangeProfilerCounterDataImageInitialize(struct cupti_range_data_init *p)
{
    IN_ORDER(enabled && p->bytes == IMAGE_BYTES);
    memset(p->data, 3, p->bytes);
    return 0;
}
cupti_result cuptiRangeProfilerSetConfig(struct cupti_range_set *p)
{
    IN_ORDER(enabled && p->range == CUPTI_AUTO_RANGE && p->replay == CUPTI_USER_REPLAY &&
             p->config[0] == 2 && p->data[0] == 3);
    passes = decoded = 0;
    return 0;
}
cupti_result cuptiRangeProfilerStart(struct cupti_range_object *p)
{
    IN_ORDER(enabled && !started && p->object == &object);
    started = 1;
    return 0;
}
cupti_result cuptiRangeProfilerStop(struct cupti_range_stop *p)
{
    IN_ORDER(started);
    started = 0;
    p->all_submitted = ++passes == PASSES;
    return 0;
}
cupti_result cuptiRangeProfilerDecodeData(struct cupti_range_decode *p)
{
    IN_ORDER(passes == PASSES);
    p->dropped = 0;
    decoded = 1;
    return 0;
}
cupti_result cuptiRangeProfilerGetCounterDataInfo(struct cupti_range_info *p)
{
    IN_ORDER(decoded && p->data_size == IMAGE_BYTES);
    p->ranges = 1;
    return 0;
}

/* ---- activity records ---- */

enum { RECORD_BYTES = 200, FEW = 3 }; /* longer than what the runner knows of a record */
static cupti_buffer_wanted buffer_wanted;
static cupti_buffer_full buffer_full;
static int copies; /* are recorded too */
static int told; /* told: how many kernels of the driver have been told of */

/* The fake driver's list of kernels; the driver is in this process already. */
static const struct fake_kernel *kernels(int *n)
{
    void *driver = dlopen(getenv("WARPDRILL_CUDA"), RTLD_NOW | RTLD_NOLOAD);
    const int *count = driver ? dlsym(driver, "fake_n_kernels") : NULL;
    *n = count ? *count : 0;
    return driver ? dlsym(driver, "fake_kernels") : NULL;
}

cupti_result cuptiGetTimestamp(uint64_t *ns)
{
    int n = 0;
    const struct fake_kernel *list = kernels(&n);
    FAKE_CALL();
    *ns = n ? (uint64_t)(list[(n - 1) % FAKE_KERNELS].end * 1e9) : 0;
    return 0;
}
cupti_result cuptiActivityRegisterCallbacks(cupti_buffer_wanted wanted, cupti_buffer_full full)
{
    FAKE_CALL();
    buffer_wanted = wanted;
    buffer_full = full;
    return 0;
}
cupti_result cuptiActivityEnable(int kind)
{
    if (kind == CUPTI_KIND_MEMCPY || kind == CUPTI_KIND_MEMCPY_PEER) {
        IN_ORDER(recording);
        copies = 1;
        return 0;
    }
    IN_ORDER(buffer_full && kind == CUPTI_KIND_CONCURRENT_KERNEL && !recording && !enabled);
    recording = 1;
    kernels(&told);
    return 0;
}
cupti_result cuptiActivityDisable(int kind)
{
    if (kind == CUPTI_KIND_MEMCPY || kind == CUPTI_KIND_MEMCPY_PEER) {
        IN_ORDER(copies >= 0);
        copies = 0;
        return 0;
    }
    int was = recording && kind == CUPTI_KIND_CONCURRENT_KERNEL;
    recording = 0;
    IN_ORDER(was);
    return 0;
}

static void put_copy(uint8_t *at, const struct fake_kernel *k, int order)
{
    struct cupti_copy record = {.kind = CUPTI_KIND_MEMCPY,
                                .start = (uint64_t)(k->start * 1e9),
                                .end = (uint64_t)(k->end * 1e9),
                                .device = (uint32_t)k->device,
                                .correlation = (uint32_t)order};
    record.kind = copies ? CUPTI_KIND_MEMCPY : 0;
    memcpy(at, &record, sizeof record);
}

static void put_record(uint8_t *at, const struct fake_kernel *k, int order)
{
    if (k->copy) {
        put_copy(at, k, order);
        return;
    }
    struct cupti_kernel record = {.kind = CUPTI_KIND_CONCURRENT_KERNEL,
                                  .start = (uint64_t)(k->start * 1e9),
                                  .end = (uint64_t)(k->end * 1e9),
                                  .device = (uint32_t)k->device,
                                  .stream = 7,
                                  .correlation = (uint32_t)order,
                                  .name = k->name};
    memcpy(at, &record, sizeof record);
}

/* The newest first, since CUPTI promises no order. */
cupti_result cuptiActivityFlushAll(uint32_t flag)
{
    int n = 0, lost = (int)fake_number("cupti_loses", 0);
    const struct fake_kernel *list = kernels(&n);
    (void)flag;
    IN_ORDER(recording);
    for (int from = told, left = n - lost; left > from;) {
        uint8_t *buffer = NULL;
        size_t size = 0, records = 0, used = 0;
        buffer_wanted(&buffer, &size, &records);
        for (int i = 0; i < FEW && left > from; i++, used += RECORD_BYTES)
            left--, put_record(buffer + used, &list[left % FAKE_KERNELS], left);
        buffer_full(NULL, 0, buffer, size, used);
    }
    told = n;
    return 0;
}

cupti_result cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)
{
    FAKE_CALL();
    uint8_t *next = *record ? (uint8_t *)*record + RECORD_BYTES : buffer;
    if (next >= buffer + valid)
        return CUPTI_NO_MORE;
    *record = next;
    return 0;
}

/* ---- samples of the program counter ----
 * Each range brings 1,000 samples of `move`: 700 on what pcsampling_line finds on line 2 (600 of
 * them waiting for global memory, 20 issuing, 80 for the queue to L1), 150 on line 3, 100 in the
 * header and 50 behind the last line; and 5,000 of one of the runner's own kernels. The plan's
 * `pc_dropped` is added to what was dropped. */

enum {
    REASONS = 5,
    NOT_ISSUED = 2,
    PCS = 7,
    A_TIME = 3
}; /* A_TIME: records handed over by one call */
static const char *const reason_names[] = {"selected", "long_scoreboard",
                                           "long_scoreboard_not_issued", "lg_throttle",
                                           "no_instructions"};
static const struct { const char *function; uint64_t pc; uint32_t counts[REASONS];
} pcs[PCS] = {
    {"move", 0x20, {20, 400, 390, 0, 0}},  {"move", 0x28, {0, 200, 200, 80, 0}},
    {"wd_fill", 0x10, {5000, 0, 0, 0, 0}}, {"move", 0x30, {0, 0, 0, 100, 0}},
    {"move", 0x38, {0, 0, 0, 0, 50}},      {"move", 0x100, {0, 0, 0, 100, 0}},
    {"move", 0x7000, {50, 0, 0, 0, 0}},
};
static int sampling, configured, ranging, handed;
static uint32_t wanted[REASONS];
static size_t n_wanted;

cupti_result cuptiPCSamplingEnable(struct cupti_pc_object *p)
{
    IN_ORDER(p->ctx && !attached && !enabled && !recording && !sampling);
    sampling = 1;
    return 0;
}
cupti_result cuptiPCSamplingDisable(struct cupti_pc_object *p)
{
    int was = sampling;
    (void)p;
    sampling = configured = ranging = 0;
    IN_ORDER(was);
    return 0;
}
cupti_result cuptiPCSamplingGetNumStallReasons(struct cupti_pc_number *p)
{
    IN_ORDER(sampling);
    *p->n = REASONS;
    return 0;
}
cupti_result cuptiPCSamplingGetStallReasons(struct cupti_pc_names *p)
{
    IN_ORDER(sampling && p->n == REASONS);
    for (uint32_t i = 0; i < REASONS; i++) {
        p->indices[i] = 10 * i + 3;
        snprintf(p->names[i], CUPTI_PC_NAME, "smsp__pcsamp_warps_issue_stalled_%s",
                 reason_names[i]);
    }
    return 0;
}

static const void *own_buffer; /* what was given with the settings; handing over into the same one
                                  empties it, as on an H200 */

cupti_result cuptiPCSamplingSetConfigurationAttribute(struct cupti_pc_set *p)
{
    int period = 0, control = 0, mode = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct cupti_pc_setting *s = &p->settings[i];
        if (s->attribute == CUPTI_PC_PERIOD)
            period = (int)s->to.number;
        else if (s->attribute == CUPTI_PC_START_STOP)
            control = (int)s->to.number;
        else if (s->attribute == CUPTI_PC_MODE)
            mode = s->to.mode;
        else if (s->attribute == CUPTI_PC_BUFFER)
            own_buffer = s->to.buffer;
        else if (s->attribute == CUPTI_PC_REASONS && s->to.reasons.n <= REASONS)
            memcpy(wanted, s->to.reasons.indices, (n_wanted = s->to.reasons.n) * sizeof *wanted);
    }
    IN_ORDER(sampling && period >= 5 && period <= 31 && control == 1 &&
             mode == CUPTI_PC_SERIALIZED && n_wanted > 0);
    configured = 1;
    return 0;
}

cupti_result cuptiPCSamplingStart(struct cupti_pc_object *p)
{
    (void)p;
    IN_ORDER(configured && !ranging);
    ranging = 1;
    return 0;
}
cupti_result cuptiPCSamplingStop(struct cupti_pc_object *p)
{
    (void)p;
    IN_ORDER(ranging);
    ranging = handed = 0;
    return 0;
}

static void put_samples(struct cupti_pc_record *r, int at)
{
    r->function = (char *)pcs[at].function;
    r->pc = pcs[at].pc;
    r->n_counts = 0;
    for (uint32_t i = 0; i < REASONS; i++)
        for (size_t k = 0; k < n_wanted; k++)
            if (wanted[k] == 10 * i + 3 && pcs[at].counts[i])
                r->counts[r->n_counts++] = (struct cupti_pc_count){wanted[k], pcs[at].counts[i]};
}

cupti_result cuptiPCSamplingGetData(struct cupti_pc_take *p)
{
    struct cupti_pc_data *d = p->data;
    IN_ORDER(sampling && !ranging && d->size == sizeof *d && d->room >= A_TIME &&
             d->records[d->room - 1].size == sizeof *d->records);
    d->n = 0;
    if (d == own_buffer)
        return 0;
    for (; handed < PCS && d->n < A_TIME; handed++)
        put_samples(&d->records[d->n++], handed);
    d->remaining = (size_t)(PCS - handed);
    d->total = handed == PCS ? 6000 : 0;
    d->dropped = handed == PCS ? (uint64_t)fake_number("pc_dropped", 0) : 0;
    return 0;
}

cupti_result cuptiGetSassToSourceCorrelation(struct cupti_place *p)
{
    FAKE_CALL();
    if (!p->cubin || !p->cubin_bytes || strcmp(p->function, "move") != 0)
        return 1;
    p->line = (uint32_t)(p->pc / 16);
    p->file = strdup(p->pc == 0x100 ? "warpdrill.h" : "/some/folder/a.cu");
    p->folder = strdup("/some/folder");
    return 0;
}

cupti_result cuptiGetCubinCrc(struct cupti_crc *p)
{
    FAKE_CALL();
    p->crc = p->cubin_bytes;
    return 0;
}
