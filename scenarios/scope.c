/* Names in formulas: what of a scenario, a GPU and the evidence they stand for. */
#include "scenarios/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/exhibits.h"
#include "scenarios/near.h"

/* Attributes and ceilings that a description of a GPU may hold. Fixed properties only: sizes are made of them. */
static const char *const gpu_names[] = {
    "compute", "sm_count", "l2_bytes", "smem_block_optin", "smem_sm", "regs_sm", "threads_sm", "warps_sm", "blocks_sm",
    "warp_size", "clock_hz", "mem_clock_hz", "bus_bits", "mem_bytes", "dram_peak", "fp64_ratio",
};
static const struct { const char *name, *unit; } ceiling_names[] = {
    {"copy", "B/s"}, {"read", "B/s"}, {"write", "B/s"}, {"l2", "B/s"}, {"fma", "flop/s"}, {"tensor", "flop/s"},
    {"event", "s"}, {"launch", "s"}, {"launch_next", "s"}, {"peak_dram", "B/s"}, {"peak_fma", "flop/s"}, {"peak_tensor", "flop/s"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *after(const char *name, const char *prefix)
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

static bool ceiling_known(const char *name)
{
    for (size_t i = 0; i < COUNT(ceiling_names); i++)
        if (!strcmp(ceiling_names[i].name, name))
            return true;
    return false;
}

static int unknown(const char *name, struct err *err)
{
    return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", name);
}

static void give(struct quantity *out, double value, const char *unit)
{
    struct dim dim = DIM_NONE;
    double factor = 1;
    unit_parse(unit, strlen(unit), &dim, &factor);
    out->value = value * factor;
    out->dim = dim;
}

/* ---- parameters: in order, each from gpu.* and the ones above it ---- */

struct params { const struct story *story; const struct msg_device *device; const int64_t *values; int n; };

static int gpu_lookup(const struct msg_device *device, const char *name, struct quantity *out, struct err *err)
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
    const char *rest = after(name, "gpu.");
    if (rest)
        return gpu_lookup(p->device, rest, out, err);
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->story->params[i].name, name)) {
            *out = (struct quantity){(double)p->values[i], DIM_NONE};
            return 0;
        }
    return unknown(name, err);
}

int scope_params_fixed(const struct story *story, const struct msg_device *device, const bool *fixed, int64_t *values, struct err *err)
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

int scope_params(const struct story *story, const struct msg_device *device, int vary, int64_t value, int64_t *values, struct err *err)
{
    bool *fixed = mem_new((size_t)story->n_params, sizeof *fixed);
    if (vary >= 0) {
        fixed[vary] = true;
        values[vary] = value;
    }
    int rc = scope_params_fixed(story, device, fixed, values, err);
    free(fixed);
    return rc;
}

int scope_size(const struct story *story, const struct msg_device *device, const int64_t *values, const struct expr *e, struct quantity *out,
               struct err *err)
{
    struct params p = {story, device, values, story->n_params};
    int column = 0;
    if (formula_eval(e->f, params_lookup, &p, out, &column, err))
        return expr_fail(e, column, story->pack, err);
    return 0;
}

int scope_whole(const struct story *story, const struct msg_device *device, const int64_t *values, const struct expr *e, int64_t *out,
                struct err *err)
{
    struct params p = {story, device, values, story->n_params};
    int column = 0;
    if (formula_whole(e->f, params_lookup, &p, out, &column, err))
        return expr_fail(e, column, story->pack, err);
    return 0;
}

static int param_index(const struct story *story, const char *name)
{
    for (int i = 0; i < story->n_params; i++)
        if (!strcmp(story->params[i].name, name))
            return i;
    return -1;
}

/* Parameters and work, evaluated for this GPU: the size of a `what` that is a parameter (index) or an expression. */
static int sized(const struct scope *s, int param, const struct expr *e, struct dim dim, struct quantity *out, struct err *err)
{
    if (!s->device && !story_is_case(s->story))
        return err_set(err, ERR_MISSING, "sizes are not known before a GPU is");
    int64_t *values = mem_new((size_t)s->story->n_params, sizeof *values);
    int rc = scope_params(s->story, s->device, -1, 0, values, err);
    if (rc == 0 && e)
        rc = scope_size(s->story, s->device, values, e, out, err);
    else if (rc == 0)
        out->value = (double)values[param];
    out->dim = dim;
    free(values);
    return rc;
}

static int work_lookup(const struct scope *s, const char *name, struct quantity *out, struct err *err)
{
    if (!strcmp(name, "bytes"))
        return sized(s, -1, &s->story->work_bytes, DIM_BYTE, out, err);
    struct quantity flop;
    give(&flop, 1, "flop");
    if (!strcmp(name, "flops"))
        return sized(s, -1, &s->story->work_flops, flop.dim, out, err);
    return err_set(err, ERR_BAD_REQUEST, "unknown name 'work.%s'", name);
}

static int ceiling_lookup(const struct scope *s, const char *name, struct quantity *out, struct err *err)
{
    double value = 0;
    if (!ceiling_known(name))
        return err_set(err, ERR_BAD_REQUEST, "unknown name 'ceiling.%s'", name);
    if (!s->device || !msg_device_ceiling(s->device, name, &value))
        return err_set(err, ERR_MISSING, "ceiling.%s was not measured here", name);
    for (size_t i = 0; i < COUNT(ceiling_names); i++)
        if (!strcmp(ceiling_names[i].name, name))
            give(out, value, ceiling_names[i].unit);
    return 0;
}

/* ---- metrics ---- */

static bool runs_are(const struct msg_part *p, const char *run)
{
    return !strcmp(p->run, run);
}

static bool own_timing(const struct msg_part *p, const char *run)
{
    return p->probe == PROBE_TIMING && p->variant < 0 && runs_are(p, run) && !msg_part_note(p, "warm");
}

bool evidence_in_turns(const struct evidence *e, const struct msg_part *p)
{
    for (int i = 0; i < e->n_parts; i++)
        if (p->probe == PROBE_TIMING && e->parts[i].probe == PROBE_TIMING && e->parts[i].item == p->item && !runs_are(&e->parts[i], p->run))
            return true;
    return false;
}

const struct msg_part *evidence_alone(const struct evidence *e, const char *run)
{
    for (int i = 0; i < e->n_parts; i++)
        if (own_timing(&e->parts[i], run) && msg_part_value(&e->parts[i], "time") && !evidence_in_turns(e, &e->parts[i]))
            return &e->parts[i];
    return NULL;
}

/* The value in evidence `e` of the request's own shape; warm repetitions are another measurement under the same name, and so is what was timed in turns
 * with another run where it was timed alone too. */
static const struct msg_value *own_value(const struct evidence *e, const char *run, const char *metric)
{
    const struct msg_part *alone = evidence_alone(e, run);
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        if (p->variant >= 0 || !runs_are(p, run) || msg_part_note(p, "warm"))
            continue;
        const struct msg_value *v = msg_part_value(p, metric);
        if (v && (!alone || !evidence_in_turns(e, p)))
            return v;
    }
    return NULL;
}

/* The value that one part alone of a purchase of several steps shows; NULL when none does, or more. */
static const struct msg_value *only_value(const struct evidence *e, const char *run, const char *metric)
{
    const struct msg_value *only = NULL;
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *v = runs_are(&e->parts[i], run) ? msg_part_value(&e->parts[i], metric) : NULL;
        if (v && only)
            return NULL;
        only = v ? v : only;
    }
    return only;
}

static int give_value(const struct msg_value *v, const char *name, const char *unit, struct quantity *out, struct err *err)
{
    if (!v)
        return err_set(err, ERR_MISSING, "%s has not been measured", name);
    if (!v->present)
        return err_set(err, ERR_MISSING, "%s is missing: %s", name, v->missing ? v->missing : "no reason given");
    give(out, v->value, unit);
    return 0;
}

/* `run` NULL: the suspect's, from what was bought. */
static int metric_lookup(const struct scope *s, const char *run, const char *metric, struct quantity *out, struct err *err)
{
    const struct metric *m = metric_find(metric);
    if (!m)
        return unknown(metric, err);
    const struct msg_value *v = NULL;
    if (run && s->all)
        v = own_value(s->all, run, metric);
    if (run && s->all && !v)
        v = only_value(s->all, run, metric);
    for (int i = 0; !run && s->experiment && i < s->n_bought; i++)
        if (!strcmp(s->bought[i]->probe, s->experiment) && (v = only_value(s->bought[i], "a", metric)))
            return give_value(v, metric, m->unit, out, err);
    for (int i = 0; !run && i < s->n_bought; i++) {
        const struct msg_value *found = own_value(s->bought[i], "a", metric);
        if (found && (!v || (found->present && !v->present)))
            v = found;
    }
    return give_value(v, metric, m->unit, out, err);
}

static int copy_fraction(const struct scope *s, const char *run, struct quantity *out, struct err *err)
{
    struct quantity time, work, copy;
    int rc = metric_lookup(s, run, "time", &time, err);
    if (rc == 0)
        rc = work_lookup(s, "bytes", &work, err);
    if (rc == 0)
        rc = ceiling_lookup(s, "copy", &copy, err);
    if (rc == 0 && (time.value <= 0 || copy.value <= 0))
        rc = err_set(err, ERR_MISSING, "copy_fraction: a time or the copy ceiling is zero");
    if (rc == 0)
        *out = (struct quantity){work.value / time.value / copy.value, DIM_NONE};
    return rc;
}

static int of_run(const struct scope *s, const char *run, const char *metric, struct quantity *out, struct err *err)
{
    if (!strcmp(metric, "copy_fraction"))
        return copy_fraction(s, run, out, err);
    return metric_lookup(s, run, metric, out, err);
}

static int ratio_lookup(const struct scope *s, struct quantity *out, struct err *err)
{
    const struct msg_value *paired = s->all ? own_value(s->all, "a/b", "ratio") : NULL;
    if (paired && paired->present)
        return give_value(paired, "ratio", "1", out, err);
    struct quantity a, b;
    int rc = metric_lookup(s, "a", "time", &a, err);
    if (rc == 0)
        rc = metric_lookup(s, "b", "time", &b, err);
    if (rc == 0 && b.value <= 0)
        rc = err_set(err, ERR_MISSING, "ratio: the fix's time is zero");
    if (rc == 0)
        *out = (struct quantity){a.value / b.value, DIM_NONE};
    return rc;
}

/* ---- series: one value for each variant of an experiment ---- */

/* Which variants of evidence `e` belong to experiment x: its own purchase starts at 0; in "all" they follow each other in the story's order. */
static int first_variant(const struct story *story, const struct evidence *e, const struct experiment *x)
{
    if (!strcmp(e->probe, x->id))
        return 0;
    if (strcmp(e->probe, "all"))
        return -1;
    int at = 0;
    for (const struct experiment *y = story->experiments; y < x; y++)
        at += y->n_steps;
    return at;
}

static const struct msg_value *variant_value(const struct evidence *e, int variant, const char *metric)
{
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        const struct msg_value *v = p->variant == variant && runs_are(p, "a") ? msg_part_value(p, metric) : NULL;
        if (v)
            return v;
    }
    return NULL;
}

static bool wanted(const struct scope *s, const struct experiment *x)
{
    return !s->experiment || !strcmp(s->experiment, x->id);
}

enum reduce { FIRST, LAST, LEAST, MOST };

static int reduce_series(const struct evidence *e, int first, int n, const struct metric *m, enum reduce how, struct quantity *out, struct err *err)
{
    struct quantity q = {0};
    for (int k = 0; k < n; k++) {
        if (give_value(variant_value(e, first + k, m->name), m->name, m->unit, &q, err))
            return ERR_MISSING;
        if (k == 0 || how == LAST || (how == LEAST && q.value < out->value) || (how == MOST && q.value > out->value))
            *out = q;
    }
    return n > 0 ? 0 : err_set(err, ERR_MISSING, "%s: the experiment has no steps", m->name);
}

static int series_lookup(const struct scope *s, const char *metric, enum reduce how, struct quantity *out, struct err *err)
{
    const struct metric *m = metric_find(metric);
    if (!m)
        return unknown(metric, err);
    for (int i = 0; i < s->n_bought; i++)
        for (int x = 0; x < s->story->n_experiments; x++) {
            const struct experiment *e = &s->story->experiments[x];
            int first = wanted(s, e) ? first_variant(s->story, s->bought[i], e) : -1;
            if (first >= 0 && variant_value(s->bought[i], first, metric))
                return reduce_series(s->bought[i], first, e->n_steps, m, how, out, err);
        }
    return err_set(err, ERR_MISSING, "no experiment that shows %s was bought", metric);
}

/* Splits "time.last" into metric and reduction; false when the name does not end so. */
static bool is_series(const char *name, char *metric, size_t size, enum reduce *how)
{
    static const char *const suffix[] = {".first", ".last", ".min", ".max"};
    size_t n = strlen(name);
    for (int i = 0; i < 4; i++) {
        size_t k = strlen(suffix[i]);
        if (n <= k || n - k >= size || strcmp(name + n - k, suffix[i]))
            continue;
        memcpy(metric, name, n - k);
        metric[n - k] = '\0';
        *how = (enum reduce)i;
        return true;
    }
    return false;
}

/* ---- all names ---- */

static const struct { const char *prefix, *run; } sides[] = {{"suspect.", "a"}, {"fix.", "b"}, {"best.", "c"}};

int scope_lookup(void *scope, const char *name, struct quantity *out, struct err *err)
{
    const struct scope *s = scope;
    const char *rest;
    char metric[64];
    enum reduce how;
    int param = param_index(s->story, name);
    if (param >= 0)
        return sized(s, param, NULL, DIM_NONE, out, err);
    if (story_is_case(s->story))
        return exhibits_lookup(s, name, out, err);
    if ((rest = after(name, "gpu.")))
        return gpu_lookup(s->device, rest, out, err);
    if ((rest = after(name, "work.")))
        return work_lookup(s, rest, out, err);
    if ((rest = after(name, "ceiling.")))
        return ceiling_lookup(s, rest, out, err);
    for (size_t i = 0; i < COUNT(sides); i++)
        if ((rest = after(name, sides[i].prefix)))
            return of_run(s, sides[i].run, rest, out, err);
    if (!strcmp(name, "ratio"))
        return ratio_lookup(s, out, err);
    if (is_series(name, metric, sizeof metric, &how))
        return series_lookup(s, metric, how, out, err);
    return of_run(s, NULL, name, out, err);
}

int story_constant(const struct story *story, const struct expr *e, struct quantity *out, struct err *err)
{
    struct scope s = {.story = story};
    return formula_eval(e->f, scope_lookup, &s, out, NULL, err);
}

bool scope_knows(const struct story *story, const char *name)
{
    const char *rest;
    char metric[64];
    enum reduce how;
    if (story_is_case(story))
        return param_index(story, name) >= 0 || exhibits_know(story, name);
    if (param_index(story, name) >= 0 || !strcmp(name, "ratio") || !strcmp(name, "copy_fraction"))
        return true;
    if ((rest = after(name, "gpu.")))
        return gpu_name_known(rest);
    if ((rest = after(name, "work.")))
        return !strcmp(rest, "bytes") || !strcmp(rest, "flops");
    if ((rest = after(name, "ceiling.")))
        return ceiling_known(rest);
    for (size_t i = 0; i < COUNT(sides); i++)
        if ((rest = after(name, sides[i].prefix)))
            return !strcmp(rest, "copy_fraction") || metric_find(rest);
    if (is_series(name, metric, sizeof metric, &how))
        return story->n_experiments > 0 && metric_find(metric);
    return metric_find(name) != NULL;
}

const struct metric *scope_metric(const char *name, bool *series)
{
    char metric[64];
    enum reduce how;
    *series = is_series(name, metric, sizeof metric, &how);
    return metric_find(*series ? metric : name);
}

/* ---- names that are nearly known ---- */

static void try_all(struct near *n, const struct story *story, const char *prefix)
{
    size_t metrics;
    const struct metric *table = metric_table(&metrics);
    bool gpu = !strcmp(prefix, "gpu."), ceiling = !strcmp(prefix, "ceiling.");
    for (size_t i = 0; gpu && i < COUNT(gpu_names); i++)
        near_try(n, gpu_names[i]);
    for (size_t i = 0; ceiling && i < COUNT(ceiling_names); i++)
        near_try(n, ceiling_names[i].name);
    for (int i = 0; !*prefix && i < story->n_params; i++)
        near_try(n, story->params[i].name);
    for (size_t i = 0; !gpu && !ceiling && i < metrics; i++)
        near_try(n, table[i].name);
}

void scope_near(const struct story *story, const char *name, char *out, size_t size)
{
    static const char *const prefixes[] = {"gpu.", "ceiling.", "suspect.", "fix.", "best."};
    const char *prefix = "", *rest = name, *last = strrchr(name, '.');
    char core[64], metric[64];
    enum reduce how;
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (after(name, prefixes[i])) {
            prefix = prefixes[i];
            rest = after(name, prefixes[i]);
        }
    bool series = is_series(rest, metric, sizeof metric, &how);
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
    if (param_index(story, name) >= 0 || after(name, "gpu."))
        return "1";
    if ((rest = after(name, "work.")))
        return !strcmp(rest, "bytes") ? "B" : "flop";
    if ((rest = after(name, "ceiling."))) {
        for (size_t i = 0; i < COUNT(ceiling_names); i++)
            if (!strcmp(ceiling_names[i].name, rest))
                return ceiling_names[i].unit;
        return "1";
    }
    for (size_t i = 0; i < COUNT(sides); i++)
        if ((rest = after(name, sides[i].prefix)))
            name = rest;
    const struct metric *m = scope_metric(name, &series);
    return m ? m->unit : "1";
}

static int dim_lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    const struct story *story = ctx;
    if (!scope_knows(story, name))
        return unknown(name, err);
    if (story_is_case(story) && param_index(story, name) < 0)
        *out = (struct quantity){1, exhibits_dim(story, name)};
    else
        give(out, 1, unit_of(story, name));
    return 0;
}

int scope_dim(const struct story *story, const struct formula *f, struct dim *out, int *column, struct err *err)
{
    return formula_dim(f, dim_lookup, (void *)(uintptr_t)story, out, column, err);
}
