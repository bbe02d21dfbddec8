#include "kernels/runner/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/text.h"

enum { REMEMBERED = 256 };

struct profiler {
    struct gpu *gpu;
    struct cupti_api cupti;
    char chip[32];
    char version[32];
    uint8_t *availability;
    cupti_result last;                                  /* of the last call */
    int passes;                                         /* of the last collection */
    struct {
        const char *name;
        bool known;
    } asked[REMEMBERED]; /* names are those of the metric table: copied */
    size_t n_asked;
};

static int check(struct profiler *p, cupti_result r, const char *call, struct err *err)
{
    p->last = r;
    return fault_cupti(&p->cupti, r, call, err);
}
#define CUPTI(p, err, fn, params) check((p), (p)->cupti.fn(params), #fn, (err))

static void read_version(struct profiler *p)
{
    uint32_t version = 0; /* 130001: 13.0 and the build; older ones count from 1 to 30 */
    if (p->cupti.cuptiGetVersion(&version) == CUPTI_OK)
        snprintf(p->version, sizeof p->version, version > 10000 ? "%u.%u" : "%u",
                 version > 10000 ? version / 10000 : version, version / 100 % 100);
}

static int check_device(struct profiler *p, struct err *err)
{
    ABI_PARAMS(cupti_supported, s, api);
    s.device = p->gpu->device;
    s.api = CUPTI_API_RANGE;
    int rc = CUPTI(p, err, cuptiProfilerDeviceSupported, &s);
    if (rc || s.supported == CUPTI_SUPPORTED)
        return rc;
    const struct { int level; cupti_result meaning;
    } parts[] = {
        {s.sli, CUPTI_SLI}, {s.vgpu, CUPTI_VGPU}, {s.confidential, CUPTI_CONFIDENTIAL},
        {s.cmp, CUPTI_CMP}, {s.wsl, CUPTI_WSL},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].level != CUPTI_SUPPORTED)
            return check(p, parts[i].meaning, "cuptiProfilerDeviceSupported", err);
    return check(p, CUPTI_UNSUPPORTED, "cuptiProfilerDeviceSupported", err);
}

static int read_availability(struct profiler *p, struct err *err)
{
    ABI_PARAMS(cupti_availability, a, image);
    a.ctx = p->gpu->ctx;
    int rc = CUPTI(p, err, cuptiProfilerGetCounterAvailability, &a); /* the size */
    if (rc)
        return rc;
    p->availability = mem_new(a.image_size + 1, 1);
    a.image = p->availability;
    return CUPTI(p, err, cuptiProfilerGetCounterAvailability, &a);
}

/* CUPTI hooks into the driver only while it is used: timings must not meet its hooks. */
static int attach(struct profiler *p, struct err *err)
{
    ABI_PARAMS(cupti_init, init, priv);
    return CUPTI(p, err, cuptiProfilerInitialize, &init);
}

static void detach(struct profiler *p)
{
    ABI_PARAMS(cupti_init, init, priv);
    if (!p->gpu->lost)
        p->cupti.cuptiProfilerDeInitialize(&init);
}

static int read_device(struct profiler *p, struct err *err)
{
    ABI_PARAMS(cupti_chip, chip, chip);
    int rc;
    if ((rc = check_device(p, err)) || (rc = CUPTI(p, err, cuptiDeviceGetChipName, &chip)))
        return rc;
    snprintf(p->chip, sizeof p->chip, "%s", chip.chip);
    return read_availability(p, err);
}

static int open_profiler(struct profiler *p, struct err *err)
{
    int rc;
    if ((rc = api_load_cupti(&p->cupti, err)))
        return rc;
    read_version(p);
    if ((rc = attach(p, err)))
        return rc;
    rc = read_device(p, err);
    detach(p);
    return rc;
}

int profiler_new(struct profiler **out, struct gpu *g, struct err *err)
{
    struct profiler *p = mem_new(1, sizeof *p);
    p->gpu = g;
    int rc = open_profiler(p, err);
    if (rc) {
        profiler_free(p);
        p = NULL;
    }
    *out = p;
    return rc;
}

void profiler_free(struct profiler *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_asked; i++)
        free((void *)p->asked[i].name);
    free(p->availability);
    free(p);
}

const char *profiler_chip(const struct profiler *p)
{
    return p->chip;
}

const char *profiler_version(const struct profiler *p)
{
    return p->version;
}

const struct cupti_api *profiler_api(const struct profiler *p)
{
    return &p->cupti;
}

int profiler_passes(const struct profiler *p)
{
    return p->passes;
}

/* A host object with these metrics configured. */
static int open_host(struct profiler *p, const char **names, size_t n, void **out, struct err *err)
{
    ABI_PARAMS(cupti_host_init, init, host);
    ABI_PARAMS(cupti_host_add, add, n);
    init.type = CUPTI_TYPE_RANGE_PROFILER;
    init.chip = p->chip;
    init.availability = p->availability;
    *out = NULL;
    int rc = CUPTI(p, err, cuptiProfilerHostInitialize, &init);
    if (rc)
        return rc;
    *out = init.host;
    add.host = init.host;
    add.names = names;
    add.n = n;
    return CUPTI(p, err, cuptiProfilerHostConfigAddMetrics, &add);
}

static void close_host(struct profiler *p, void *host)
{
    ABI_PARAMS(cupti_host_deinit, done, host);
    done.host = host;
    if (host)
        p->cupti.cuptiProfilerHostDeinitialize(&done);
}

bool profiler_knows(struct profiler *p, const char *name)
{
    void *host;
    for (size_t i = 0; i < p->n_asked; i++)
        if (!strcmp(p->asked[i].name, name))
            return p->asked[i].known;
    int rc = open_host(p, &name, 1, &host, NULL);
    bool sure = !rc || p->last == CUPTI_BAD_METRIC,
         known = !rc || !sure; /* in doubt the collection will tell why */
    close_host(p, host);
    if (sure && p->n_asked < REMEMBERED) {
        p->asked[p->n_asked].name = text_dup(name);
        p->asked[p->n_asked++].known = known;
    }
    return known;
}

/* ---- one collection ---- */

struct session {
    struct profiler *p;
    const char **names;
    size_t n;
    void *host, *range;
    uint8_t *config, *data;
    size_t config_size, data_size, passes;
};

static int make_config(struct session *s, struct err *err)
{
    struct profiler *p = s->p;
    ABI_PARAMS(cupti_host_config_size, size, bytes);
    ABI_PARAMS(cupti_host_config, config, image);
    ABI_PARAMS(cupti_host_passes, passes, passes);
    int rc = open_host(p, s->names, s->n, &s->host, err);
    size.host = config.host = s->host;
    if (rc || (rc = CUPTI(p, err, cuptiProfilerHostGetConfigImageSize, &size)))
        return rc;
    s->config_size = config.bytes = passes.bytes = size.bytes;
    s->config = config.image = passes.image = mem_new(size.bytes + 1, 1);
    if ((rc = CUPTI(p, err, cuptiProfilerHostGetConfigImage, &config)) ||
        (rc = CUPTI(p, err, cuptiProfilerHostGetNumOfPasses, &passes)))
        return rc;
    s->passes = passes.passes;
    p->passes = (int)passes.passes;
    return 0;
}

static int make_data(struct session *s, struct err *err)
{
    struct profiler *p = s->p;
    ABI_PARAMS(cupti_range_enable, enable, object);
    ABI_PARAMS(cupti_range_data_size, size, bytes);
    ABI_PARAMS(cupti_range_data_init, init, data);
    enable.ctx = p->gpu->ctx;
    int rc = CUPTI(p, err, cuptiRangeProfilerEnable,
                   &enable); /* a missing permission shows here or later */
    if (rc)
        return rc;
    s->range = size.object = init.object = enable.object;
    size.names = s->names;
    size.n = s->n;
    size.max_ranges = size.max_nodes = 1;
    if ((rc = CUPTI(p, err, cuptiRangeProfilerGetCounterDataSize, &size)))
        return rc;
    s->data_size = init.bytes = size.bytes;
    s->data = init.data = mem_new(size.bytes + 1, 1);
    return CUPTI(p, err, cuptiRangeProfilerCounterDataImageInitialize, &init);
}

/* A range of the user's own would inflate time metrics (NVIDIA forum 353002), so: a range by itself
 * around each launch, and there is one launch. */
static int configure(struct session *s, struct err *err)
{
    ABI_PARAMS(cupti_range_set, set, target_nesting);
    set.object = s->range;
    set.config_size = s->config_size;
    set.config = s->config;
    set.data_size = s->data_size;
    set.data = s->data;
    set.range = CUPTI_AUTO_RANGE;
    set.replay = CUPTI_USER_REPLAY;
    set.max_ranges = set.nesting = set.min_nesting = set.target_nesting = 1;
    return CUPTI(s->p, err, cuptiRangeProfilerSetConfig, &set);
}

static int one_pass(struct session *s, const struct profiler_work *work, int pass, bool *last,
                    struct err *err)
{
    ABI_PARAMS(cupti_range_object, start, object);
    ABI_PARAMS(cupti_range_stop, stop, all_submitted);
    int rc = work->prepare(work->arg, pass, (int)s->passes, err);
    start.object = stop.object = s->range;
    if (rc || (rc = CUPTI(s->p, err, cuptiRangeProfilerStart, &start)))
        return rc;
    rc = work->launch(work->arg, err);
    int stopped = CUPTI(s->p, rc ? NULL : err, cuptiRangeProfilerStop, &stop);
    *last = stop.all_submitted;
    return rc ? rc : stopped;
}

static int all_passes(struct session *s, const struct profiler_work *work, struct err *err)
{
    bool last = false;
    int rc = 0;
    for (int pass = 1; !rc && !last; pass++) {
        if (pass > 10 * (int)s->passes + 10)
            return err_set(err, ERR_INTERNAL, "the profiler asks for ever more passes");
        rc = one_pass(s, work, pass, &last, err);
    }
    return rc;
}

static int evaluate(struct session *s, double *values, struct err *err)
{
    struct profiler *p = s->p;
    ABI_PARAMS(cupti_range_decode, decode, dropped);
    ABI_PARAMS(cupti_range_info, info, ranges);
    ABI_PARAMS(cupti_host_evaluate, eval, values);
    int rc;
    decode.object = s->range;
    info.data = eval.data = s->data;
    info.data_size = eval.data_size = s->data_size;
    if ((rc = CUPTI(p, err, cuptiRangeProfilerDecodeData, &decode)) ||
        (rc = CUPTI(p, err, cuptiRangeProfilerGetCounterDataInfo, &info)))
        return rc;
    if (decode.dropped || info.ranges != 1)
        return err_set(err, ERR_INTERNAL,
                       "the profiler gave %zu ranges and dropped %zu where one was asked for",
                       info.ranges, decode.dropped);
    eval.host = s->host;
    eval.names = s->names;
    eval.n = s->n;
    eval.values = values;
    return CUPTI(p, err, cuptiProfilerHostEvaluateToGpuValues, &eval);
}

static void close_session(struct session *s)
{
    ABI_PARAMS(cupti_range_object, disable, object);
    disable.object = s->range;
    if (s->range && !s->p->gpu->lost)
        s->p->cupti.cuptiRangeProfilerDisable(&disable);
    close_host(s->p, s->host);
    free(s->config);
    free(s->data);
}

int profiler_collect(struct profiler *p, const char **names, size_t n,
                     const struct profiler_work *work, double *values, struct err *err)
{
    struct session s = {.p = p, .names = names, .n = n};
    int rc = attach(p, err);
    if (rc)
        return rc;
    if (!(rc = make_config(&s, err)) && !(rc = make_data(&s, err)) && !(rc = configure(&s, err)) &&
        !(rc = all_passes(&s, work, err)))
        rc = evaluate(&s, values, err);
    close_session(&s);
    detach(p);
    return rc;
}
