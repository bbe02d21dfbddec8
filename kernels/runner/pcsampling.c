#include "kernels/runner/pcsampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/text.h"

enum {
    RECORDS = 2048,              /* handed over at a time */
    MOST_REASONS = 63,
    HARDWARE_BYTES = 32 << 20,   /* CUPTI's own choice of 512 MB may be more than is free */
};

struct pcsampling {
    struct gpu *gpu;
    const struct cupti_api *cupti;
    bool enabled, overflowed;
    uint64_t total, dropped;
    size_t n_reasons, n_kept;
    uint32_t indices[MOST_REASONS];         /* CUPTI's, of those kept */
    char names[MOST_REASONS][CUPTI_PC_NAME];
    /* CUPTI fills the one that it was given with the settings, and hands over into the other: on an
     * H200 a single buffer for both came back empty. */
    struct buffer {
        struct cupti_pc_data data;
        struct cupti_pc_count *counts;      /* n_kept for each record */
    } kept, taken;
};

static int check(struct pcsampling *p, cupti_result r, const char *call, struct err *err)
{
    return fault_cupti(p->cupti, r, call, err);
}
#define CUPTI(p, err, fn, params) check((p), (p)->cupti->fn(params), #fn, (err))

/* ---- reasons ---- */

/* CUPTI lists each reason twice, as "smsp__pcsamp_warps_issue_stalled_REASON" for all samples and
 * with the ending
 * "_not_issued" for those of cycles in which nothing was issued. The second are part of the first.
 */
static bool read_reason(char out[CUPTI_PC_NAME], const char *name)
{
    static const char before[] = "issue_stalled_", after[] = "_not_issued";
    const char *at = strstr(name, before);
    size_t len = strlen(name);
    if (len >= sizeof after - 1 && !strcmp(name + len - (sizeof after - 1), after))
        return false;
    at = at ? at + sizeof before - 1 : name;
    if (!strcmp(at, "no_instructions")) /* the counters say it without the s */
        at = "no_instruction";
    snprintf(out, CUPTI_PC_NAME, "%s", at);
    return true;
}

static void keep_reasons(struct pcsampling *p, const uint32_t *indices, char *const *names)
{
    for (size_t i = 0; i < p->n_reasons && p->n_kept < MOST_REASONS; i++)
        if (read_reason(p->names[p->n_kept], names[i]))
            p->indices[p->n_kept++] = indices[i];
}

static int read_reasons(struct pcsampling *p, struct err *err)
{
    ABI_PARAMS(cupti_pc_number, number, n);
    ABI_PARAMS(cupti_pc_names, list, names);
    number.ctx = list.ctx = p->gpu->ctx;
    number.n = &p->n_reasons;
    int rc = CUPTI(p, err, cuptiPCSamplingGetNumStallReasons, &number);
    if (rc)
        return rc;
    if (p->n_reasons == 0 || p->n_reasons > 1024)
        return err_set(err, ERR_INTERNAL, "the profiler knows %zu stall reasons", p->n_reasons);
    list.n = p->n_reasons;
    list.indices = mem_new(p->n_reasons, sizeof *list.indices);
    list.names = mem_new(p->n_reasons, sizeof *list.names);
    char *text = mem_new(p->n_reasons, CUPTI_PC_NAME);
    for (size_t i = 0; i < p->n_reasons; i++)
        list.names[i] = text + i * CUPTI_PC_NAME;
    if (!(rc = CUPTI(p, err, cuptiPCSamplingGetStallReasons, &list)))
        keep_reasons(p, list.indices, list.names);
    free(text);
    free(list.names);
    free(list.indices);
    return rc;
}

int pcsampling_reasons(const struct pcsampling *p)
{
    return (int)p->n_kept;
}

const char *pcsampling_reason(const struct pcsampling *p, int i)
{
    return p->names[i];
}

/* ---- the session ---- */

static void make_buffer(struct buffer *b, size_t n_kept)
{
    b->data = (struct cupti_pc_data){.size = sizeof b->data, .room = RECORDS};
    b->data.records = mem_new(RECORDS, sizeof *b->data.records);
    b->counts = mem_new(RECORDS * (n_kept + 1), sizeof *b->counts);
    for (size_t i = 0; i < RECORDS; i++) {
        b->data.records[i].size = sizeof *b->data.records;
        b->data.records[i].counts = b->counts + i * n_kept;
    }
}

static void free_buffer(struct buffer *b)
{
    free(b->data.records);
    free(b->counts);
}

static int configure(struct pcsampling *p, int period, struct err *err)
{
    ABI_PARAMS(cupti_pc_set, set, settings);
    struct cupti_pc_setting s[] = {
        {.attribute = CUPTI_PC_REASONS, .to.reasons = {p->n_kept, p->indices}},
        {.attribute = CUPTI_PC_BUFFER, .to.buffer = &p->kept.data},
        {.attribute = CUPTI_PC_MODE, .to.mode = CUPTI_PC_SERIALIZED},
        {.attribute = CUPTI_PC_START_STOP, .to.number = 1},
        {.attribute = CUPTI_PC_HARDWARE_BYTES, .to.bytes = HARDWARE_BYTES},
        {.attribute = CUPTI_PC_PERIOD, .to.number = (uint32_t)period},
    };
    set.ctx = p->gpu->ctx;
    set.n = sizeof s / sizeof *s;
    set.settings = s;
    return CUPTI(p, err, cuptiPCSamplingSetConfigurationAttribute, &set);
}

/* Samples are read as an array, so their size must be the one that we know. */
static int check_version(const struct cupti_api *cupti, struct err *err)
{
    uint32_t version = 0;
    bool whole = cupti->cuptiPCSamplingEnable && cupti->cuptiPCSamplingDisable &&
                 cupti->cuptiPCSamplingStart && cupti->cuptiPCSamplingStop &&
                 cupti->cuptiPCSamplingGetNumStallReasons &&
                 cupti->cuptiPCSamplingGetStallReasons &&
                 cupti->cuptiPCSamplingSetConfigurationAttribute && cupti->cuptiPCSamplingGetData &&
                 cupti->cuptiGetSassToSourceCorrelation && cupti->cuptiGetCubinCrc;
    cupti->cuptiGetVersion(&version); /* 0: it does not say */
    if (whole && (version == 0 || version >= CUPTI_PC_SINCE))
        return 0;
    err_set(err, ERR_UNSUPPORTED,
            "this CUPTI is older than that of CUDA 12.4, whose samples can be read");
    err_advise(err, NULL, "install the cuda-cupti package of CUDA 12.4 or newer");
    return ERR_UNSUPPORTED;
}

static int open_session(struct pcsampling *p, int period, struct err *err)
{
    ABI_PARAMS(cupti_pc_object, enable, ctx);
    int rc;
    enable.ctx = p->gpu->ctx;
    if ((rc = CUPTI(p, err, cuptiPCSamplingEnable, &enable)))
        return rc;
    p->enabled = true;
    if ((rc = read_reasons(p, err)))
        return rc;
    make_buffer(&p->kept, p->n_kept);
    make_buffer(&p->taken, p->n_kept);
    return configure(p, period, err);
}

int pcsampling_open(struct pcsampling **out, struct gpu *g, const struct cupti_api *cupti,
                    int period, struct err *err)
{
    *out = NULL;
    int rc = check_version(cupti, err);
    if (rc) {
        err_advise(err, NULL, "install the cuda-cupti package of CUDA 12.4 or newer");
        return rc;
    }
    struct pcsampling *p = mem_new(1, sizeof *p);
    p->gpu = g;
    p->cupti = cupti;
    rc = open_session(p, period, err);
    if (rc)
        pcsampling_close(p);
    else
        *out = p;
    return rc;
}

void pcsampling_close(struct pcsampling *p)
{
    if (!p)
        return;
    ABI_PARAMS(cupti_pc_object, disable, ctx);
    disable.ctx = p->gpu->ctx;
    if (p->enabled && !p->gpu->lost)
        p->cupti->cuptiPCSamplingDisable(&disable); /* writes into the buffer once more */
    free_buffer(&p->kept);
    free_buffer(&p->taken);
    free(p);
}

/* ---- a range ---- */

int pcsampling_start(struct pcsampling *p, struct err *err)
{
    ABI_PARAMS(cupti_pc_object, start, ctx);
    start.ctx = p->gpu->ctx;
    return CUPTI(p, err, cuptiPCSamplingStart, &start);
}

/* The name belongs to us by the letter of cupti_pcsampling.h, but several records may share it,
 * later ones too: it is left alone, some bytes for each kernel. */
static void hand_over(const struct pcsampling *p, const struct cupti_pc_record *r,
                      pcsampling_take *take, void *arg)
{
    uint32_t counts[MOST_REASONS] = {0};
    for (size_t i = 0; i < r->n_counts && i < p->n_kept; i++)
        for (size_t k = 0; k < p->n_kept; k++)
            if (p->indices[k] == r->counts[i].reason)
                counts[k] += r->counts[i].samples;
    take(arg, &(struct pc_sample){r->function ? r->function : "", r->crc, r->pc, counts});
}

static int take_some(struct pcsampling *p, pcsampling_take *take, void *arg, struct err *err)
{
    struct cupti_pc_data *data = &p->taken.data;
    ABI_PARAMS(cupti_pc_take, get, data);
    get.ctx = p->gpu->ctx;
    get.data = data;
    data->n = 0;
    data->total = data->dropped = 0;
    cupti_result r = p->cupti->cuptiPCSamplingGetData(&get);
    if (r == CUPTI_OUT_OF_MEMORY || data->full) {
        p->overflowed = true;
        data->n = data->remaining = 0;
        return 0;
    }
    int rc = check(p, r, "cuptiPCSamplingGetData", err);
    if (rc)
        return rc;
    p->total += data->total;
    p->dropped += data->dropped;
    for (size_t i = 0; i < data->n && i < RECORDS; i++)
        hand_over(p, &data->records[i], take, arg);
    return 0;
}

int pcsampling_stop(struct pcsampling *p, pcsampling_take *take, void *arg, struct err *err)
{
    ABI_PARAMS(cupti_pc_object, stop, ctx);
    stop.ctx = p->gpu->ctx;
    int rc = CUPTI(p, err, cuptiPCSamplingStop, &stop);
    if (rc)
        return rc;
    do
        rc = take_some(p, take, arg, err);
    while (!rc && p->taken.data.n > 0 && p->taken.data.remaining > 0);
    return rc;
}

uint64_t pcsampling_total(const struct pcsampling *p)
{
    return p->total;
}

uint64_t pcsampling_dropped(const struct pcsampling *p)
{
    return p->dropped;
}

bool pcsampling_overflowed(const struct pcsampling *p)
{
    return p->overflowed;
}

/* ---- cubins ---- */

uint64_t pcsampling_crc(const struct cupti_api *cupti, const void *cubin, size_t bytes)
{
    ABI_PARAMS(cupti_crc, crc, crc);
    crc.cubin = cubin;
    crc.cubin_bytes = bytes;
    return cupti->cuptiGetCubinCrc && cupti->cuptiGetCubinCrc(&crc) == CUPTI_OK ? crc.crc : 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int pcsampling_line(const struct cupti_api *cupti, const void *cubin, size_t bytes,
                    const char *function, uint64_t pc, const char *file)
{
    ABI_PARAMS(cupti_place, place, folder);
    place.cubin = cubin;
    place.cubin_bytes = bytes;
    place.function = function;
    place.pc = pc;
    int line = 0;
    if (cupti->cuptiGetSassToSourceCorrelation(&place) == CUPTI_OK && place.file &&
        !strcmp(last_part(place.file), file))
        line = (int)place.line;
    free(place.file);
    free(place.folder);
    return line;
}
