#include "scenarios/pack/names.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/exhibit_names.h"
#include "scenarios/text/near.h"

/* Attributes and ceilings that a description of a GPU may hold. Fixed properties only: sizes are
 * made of them. */
static const char *const gpu_names[] = {
    "compute",    "sm_count",  "l2_bytes",  "smem_block_optin", "smem_sm",  "regs_sm",
    "threads_sm", "warps_sm",  "blocks_sm", "warp_size",        "clock_hz", "mem_clock_hz",
    "bus_bits",   "mem_bytes", "dram_peak", "fp64_ratio",
};
static const struct { const char *name, *unit;
} ceiling_names[] = {
    {"copy", "B/s"},      {"read", "B/s"},      {"write", "B/s"},       {"l2", "B/s"},
    {"fma", "flop/s"},    {"tensor", "flop/s"}, {"event", "s"},         {"launch", "s"},
    {"launch_next", "s"}, {"peak_dram", "B/s"}, {"peak_fma", "flop/s"}, {"peak_tensor", "flop/s"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

const char *name_after(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) ? NULL : name + n;
}

static bool gpu_name_known(const char *name)
{
    for (size_t i = 0; i < COUNT(gpu_names); i++)
        if (!strcmp(gpu_names[i], name))
            return true;
    return false;
}

/* The links' names have their home where they are worked out. */
static const char *link_unit(const char *name)
{
    const char *unit, *link;
    for (int i = 0; (link = links_name(i, &unit)); i++)
        if (!strcmp(link, name))
            return unit;
    return NULL;
}

const char *name_ceiling_unit(const char *name)
{
    for (size_t i = 0; i < COUNT(ceiling_names); i++)
        if (!strcmp(ceiling_names[i].name, name))
            return ceiling_names[i].unit;
    return link_unit(name);
}

static int unknown(const char *name, struct err *err)
{
    return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", name);
}

void name_give(struct quantity *out, double value, const char *unit)
{
    struct dim dim = DIM_NONE;
    double factor = 1;
    unit_parse(unit, strlen(unit), &dim, &factor);
    out->value = value * factor;
    out->dim = dim;
}

/* ---- parameters: in order, each from gpu.* and the ones above it ---- */

struct params {
    const struct story *story;
    const struct msg_device *device;
    const int64_t *values;
    int n;
};

int name_gpu(const struct msg_device *device, const char *name, struct quantity *out,
             struct err *err)
{
    if (!gpu_name_known(name))
        return err_set(err, ERR_BAD_REQUEST, "unknown name 'gpu.%s'", name);
    double value = 0;
    if (!device || !msg_device_number(device, name, &value))
        return err_set(err, ERR_MISSING, "gpu.%s is not known here", name);
    *out = (struct quantity){value, DIM_NONE};
    return 0;
}

static int params_lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct params *p = ctx;
    const char *rest = name_after(name, "gpu.");
    if (rest)
        return name_gpu(p->device, rest, out, err);
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->story->params[i].name, name)) {
            *out = (struct quantity){(double)p->values[i], DIM_NONE};
            return 0;
        }
    return unknown(name, err);
}

int size_params_fixed(const struct story *story, const struct msg_device *device, const bool *fixed,
                      int64_t *values, struct err *err)
{
    struct params p = {story, device, values, 0};
    for (; p.n < story->n_params; p.n++) {
        const struct expr *e = &story->params[p.n].value;
        int column = 0;
        if (!fixed[p.n] && formula_whole(e->f, params_lookup, &p, &values[p.n], &column, err))
            return expr_fail(e, column, story->pack, err);
    }
    return 0;
}

int size_params(const struct story *story, const struct msg_device *device, int vary, int64_t value,
                int64_t *values, struct err *err)
{
    bool *fixed = mem_new((size_t)story->n_params, sizeof *fixed);
    if (vary >= 0) {
        fixed[vary] = true;
        values[vary] = value;
    }
    int rc = size_params_fixed(story, device, fixed, values, err);
    free(fixed);
    return rc;
}

int size_value(const struct story *story, const struct msg_device *device, const int64_t *values,
               const struct expr *e, struct quantity *out, struct err *err)
{
    struct params p = {story, device, values, story->n_params};
    int column = 0;
    if (formula_eval(e->f, params_lookup, &p, out, &column, err))
        return expr_fail(e, column, story->pack, err);
    return 0;
}

int size_whole(const struct story *story, const struct msg_device *device, const int64_t *values,
               const struct expr *e, int64_t *out, struct err *err)
{
    struct params p = {story, device, values, story->n_params};
    int column = 0;
    if (formula_whole(e->f, params_lookup, &p, out, &column, err))
        return expr_fail(e, column, story->pack, err);
    return 0;
}

int name_param(const struct story *story, const char *name)
{
    for (int i = 0; i < story->n_params; i++)
        if (!strcmp(story->params[i].name, name))
            return i;
    return -1;
}

/* Splits "time.last" into metric and reduction; false when the name does not end so. */
bool name_series(const char *name, char *metric, size_t size, enum series_reduce *how)
{
    static const char *const suffix[] = {".first", ".last", ".min", ".max"};
    size_t n = strlen(name);
    for (int i = 0; i < 4; i++) {
        size_t k = strlen(suffix[i]);
        if (n <= k || n - k >= size || strcmp(name + n - k, suffix[i]))
            continue;
        memcpy(metric, name, n - k);
        metric[n - k] = '\0';
        *how = (enum series_reduce)i;
        return true;
    }
    return false;
}

static const struct {
    const char *prefix, *run;
} sides[] = {
    {"suspect.", "a"}, {"fix.", "b"}, {"best.", "c"}, {"half.", "d"}, {"rest.", "e"},
};

const char *name_run(const char *name, const char **rest)
{
    for (size_t i = 0; i < COUNT(sides); i++)
        if ((*rest = name_after(name, sides[i].prefix)))
            return sides[i].run;
    return NULL;
}

const char *name_other(const char *name)
{
    return name_after(name, "other.");
}

bool name_other_time(const char *name)
{
    const char *rest = name_other(name);
    return rest && (!strcmp(rest, "suspect.time") || !strcmp(rest, "fix.time"));
}

static bool other_known(const struct story *story, const char *rest)
{
    const char *attribute = name_after(rest, "gpu."), *work = name_after(rest, "work.");
    return name_param(story, rest) >= 0 || (attribute && gpu_name_known(attribute)) ||
           (work && (!strcmp(work, "bytes") || !strcmp(work, "flops")));
}

int size_constant(const struct story *story, const struct expr *e, struct quantity *out,
                  struct err *err)
{
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values);
    int rc = size_params(story, NULL, -1, 0, values, err);
    if (!rc)
        rc = size_value(story, NULL, values, e, out, err);
    free(values);
    return rc;
}

bool name_known(const struct story *story, const char *name)
{
    const char *rest, *run;
    char metric[64];
    enum series_reduce how;
    if (story_is_case(story))
        return name_param(story, name) >= 0 || exhibits_know(story, name);
    if ((rest = name_other(name)))
        return name_other_time(name) || other_known(story, rest);
    if (name_param(story, name) >= 0 || !strcmp(name, "ratio") || !strcmp(name, "copy_fraction"))
        return true;
    if ((rest = name_after(name, "gpu.")))
        return gpu_name_known(rest);
    if ((rest = name_after(name, "work.")))
        return !strcmp(rest, "bytes") || !strcmp(rest, "flops");
    if ((rest = name_after(name, "ceiling.")))
        return name_ceiling_unit(rest);
    if ((run = name_run(name, &rest)) && strchr("de", *run) && story->faults < 2)
        return false;
    if (run)
        return !strcmp(rest, "copy_fraction") || metric_find(rest);
    if (name_series(name, metric, sizeof metric, &how))
        return story->n_experiments > 0 && metric_find(metric);
    return metric_find(name) != NULL;
}

const struct metric *name_metric(const char *name, bool *series)
{
    char metric[64];
    enum series_reduce how;
    *series = name_series(name, metric, sizeof metric, &how);
    return metric_find(*series ? metric : name);
}

/* ---- names that are nearly known ---- */

static void try_all(struct near *n, const struct story *story, const char *prefix)
{
    size_t metrics;
    const struct metric *table = metric_table(&metrics);
    bool gpu = !strcmp(prefix, "gpu."), ceiling = !strcmp(prefix, "ceiling.");
    const char *link, *unit;
    for (size_t i = 0; gpu && i < COUNT(gpu_names); i++)
        near_try(n, gpu_names[i]);
    for (size_t i = 0; ceiling && i < COUNT(ceiling_names); i++)
        near_try(n, ceiling_names[i].name);
    for (int i = 0; ceiling && (link = links_name(i, &unit)); i++)
        near_try(n, link);
    for (int i = 0; !*prefix && i < story->n_params; i++)
        near_try(n, story->params[i].name);
    for (size_t i = 0; !gpu && !ceiling && i < metrics; i++)
        near_try(n, table[i].name);
}

void name_near(const struct story *story, const char *name, char *out, size_t size)
{
    static const char *const prefixes[] = {"gpu.",     "ceiling.", "suspect.", "fix.",
                                           "best.",    "half.",    "rest."};
    const char *prefix = "", *rest = name, *last = strrchr(name, '.');
    char core[64], metric[64];
    enum series_reduce how;
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (name_after(name, prefixes[i])) {
            prefix = prefixes[i];
            rest = name_after(name, prefixes[i]);
        }
    bool series = name_series(rest, metric, sizeof metric, &how);
    snprintf(core, sizeof core, "%s", series ? metric : rest);
    struct near near = {.word = core};
    *out = '\0';
    if (story_is_case(story))
        return;
    try_all(&near, story, prefix);
    if (near.best)
        snprintf(out, size, " (did you mean %s%s%s?)", prefix, near.best, series ? last : "");
}

/* ---- dimensions ---- */

static const char *unit_of(const struct story *story, const char *name)
{
    const char *rest;
    bool series;
    if ((rest = name_other(name)))
        name = rest;
    if (name_param(story, name) >= 0 || name_after(name, "gpu."))
        return "1";
    if ((rest = name_after(name, "work.")))
        return !strcmp(rest, "bytes") ? "B" : "flop";
    if ((rest = name_after(name, "ceiling.")))
        return name_ceiling_unit(rest) ? name_ceiling_unit(rest) : "1";
    if (name_run(name, &rest))
        name = rest;
    const struct metric *m = name_metric(name, &series);
    return m ? m->unit : "1";
}

static int dim_lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct story *story = ctx;
    if (!name_known(story, name))
        return unknown(name, err);
    if (story_is_case(story) && name_param(story, name) < 0)
        *out = (struct quantity){1, exhibits_dim(story, name)};
    else
        name_give(out, 1, unit_of(story, name));
    return 0;
}

int name_dim(const struct story *story, const struct formula *f, struct dim *out, int *column,
             struct err *err)
{
    return formula_dim(f, dim_lookup, (void *)(uintptr_t)story, out, column, err);
}
