/* Values of names in formulas: what of a scenario, a GPU and the evidence they stand for. */
#include "scenarios/evidence/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/exhibit_table.h"
#include "scenarios/evidence/other_gpu.h"
#include "scenarios/pack/harness.h"

/* Parameters and work, evaluated for this GPU: the size of a `what` that is a parameter (index) or
 * an expression. */
static int sized(const struct scope *s, int param, const struct expr *e, struct dim dim,
                 struct quantity *out, struct err *err)
{
    if (!s->device && !story_is_case(s->story))
        return err_set(err, ERR_MISSING, "sizes are not known before a GPU is");
    int64_t *values = mem_new((size_t)s->story->n_params, sizeof *values);
    int rc = size_params(s->story, s->device, -1, 0, values, err);
    if (rc == 0 && e)
        rc = size_value(s->story, s->device, values, e, out, err);
    else if (rc == 0)
        out->value = (double)values[param];
    out->dim = dim;
    free(values);
    return rc;
}

static int work_lookup(const struct scope *s, const char *name, struct quantity *out,
                       struct err *err)
{
    if (!strcmp(name, "bytes"))
        return sized(s, -1, &s->story->work_bytes, DIM_BYTE, out, err);
    struct quantity flop;
    name_give(&flop, 1, "flop");
    if (!strcmp(name, "flops"))
        return sized(s, -1, &s->story->work_flops, flop.dim, out, err);
    return err_set(err, ERR_BAD_REQUEST, "unknown name 'work.%s'", name);
}

static int ceiling_lookup(const struct scope *s, const char *name, struct quantity *out,
                          struct err *err)
{
    double value = 0;
    const char *unit = name_ceiling_unit(name);
    if (!unit)
        return err_set(err, ERR_BAD_REQUEST, "unknown name 'ceiling.%s'", name);
    if (!s->device || !msg_device_ceiling(s->device, name, &value))
        return err_set(err, ERR_MISSING, "ceiling.%s was not measured here", name);
    name_give(out, value, unit);
    return 0;
}

/* ---- metrics ---- */

static bool runs_are(const struct msg_part *p, const char *run)
{
    return !strcmp(p->run, run);
}

static bool own_timing(const struct msg_part *p, const char *run)
{
    return msg_part_time(p) && p->variant < 0 && runs_are(p, run) && !msg_part_note(p, "warm");
}

bool evidence_in_turns(const struct evidence *e, const struct msg_part *p)
{
    for (int i = 0; i < e->n_parts; i++)
        if (p->probe == PROBE_TIMING && e->parts[i].probe == PROBE_TIMING &&
            e->parts[i].item == p->item && !runs_are(&e->parts[i], p->run))
            return true;
    return false;
}

const struct msg_part *evidence_alone(const struct evidence *e, const char *run)
{
    for (int i = 0; i < e->n_parts; i++)
        if (own_timing(&e->parts[i], run) && !evidence_in_turns(e, &e->parts[i]))
            return &e->parts[i];
    return NULL;
}

/* The value in evidence `e` of the request's own shape; warm repetitions are another measurement
 * under the same name, and so is what was timed in turns with another run where it was timed alone
 * too. */
static const struct msg_value *own_value(const struct evidence *e, const char *run,
                                         const char *metric)
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

/* The value that one part alone of a purchase of several steps shows; NULL when none does, or more.
 */
static const struct msg_value *only_value(const struct evidence *e, const char *run,
                                          const char *metric)
{
    const struct msg_value *only = NULL;
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *v =
            runs_are(&e->parts[i], run) ? msg_part_value(&e->parts[i], metric) : NULL;
        if (v && only)
            return NULL;
        only = v ? v : only;
    }
    return only;
}

static int give_value(const struct msg_value *v, const char *name, const char *unit,
                      struct quantity *out, struct err *err)
{
    if (!v)
        return err_set(err, ERR_MISSING, "%s has not been measured", name);
    if (!v->present)
        return err_set(err, ERR_MISSING, "%s is missing: %s", name,
                       v->missing ? v->missing : "no reason given");
    name_give(out, v->value, unit);
    return 0;
}

/* `run` NULL: the suspect's, from what was bought. */
static int metric_lookup(const struct scope *s, const char *run, const char *metric,
                         struct quantity *out, struct err *err)
{
    const struct metric *m = metric_find(metric);
    if (!m)
        return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", metric);
    const struct msg_value *v = NULL;
    if (run && s->all)
        v = own_value(s->all, run, metric);
    if (run && s->all && !v)
        v = only_value(s->all, run, metric);
    for (int i = 0; !run && s->experiment && i < s->n_bought; i++)
        if (!strcmp(s->bought[i]->probe, s->experiment) &&
            (v = only_value(s->bought[i], "a", metric)))
            return give_value(v, metric, m->unit, out, err);
    for (int i = 0; !run && i < s->n_bought; i++) {
        const struct msg_value *found = own_value(s->bought[i], "a", metric);
        if (found && (!v || (found->present && !v->present)))
            v = found;
    }
    return give_value(v, metric, m->unit, out, err);
}

static int copy_fraction(const struct scope *s, const char *run, struct quantity *out,
                         struct err *err)
{
    struct quantity time, work, copy;
    int rc = metric_lookup(s, run, story_clock(s->story), &time, err);
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

static int of_run(const struct scope *s, const char *run, const char *metric, struct quantity *out,
                  struct err *err)
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
    const char *clock = story_claims_speed_up(s->story) ? "speed_up" : story_clock(s->story);
    int rc = metric_lookup(s, "a", clock, &a, err);
    if (rc == 0)
        rc = metric_lookup(s, "b", clock, &b, err);
    if (rc == 0 && b.value <= 0)
        rc = err_set(err, ERR_MISSING, "ratio: the fix's time is zero");
    if (rc == 0)
        *out = (struct quantity){a.value / b.value, DIM_NONE};
    return rc;
}

/* ---- series: one value for each variant of an experiment ---- */

/* Which variants of evidence `e` belong to experiment x: its own purchase starts at 0; in "all"
 * they follow each other in the story's order. */
static int first_variant(const struct story *story, const struct evidence *e,
                         const struct experiment *x)
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

static const struct msg_value *variant_value(const struct evidence *e, int variant,
                                             const char *metric)
{
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        const struct msg_value *v =
            p->variant == variant && runs_are(p, "a") ? msg_part_value(p, metric) : NULL;
        if (v)
            return v;
    }
    return NULL;
}

static bool wanted(const struct scope *s, const struct experiment *x)
{
    return !s->experiment || !strcmp(s->experiment, x->id);
}

static int reduce_series(const struct evidence *e, int first, int n, const struct metric *m,
                         enum series_reduce how, struct quantity *out, struct err *err)
{
    struct quantity q = {0};
    for (int k = 0; k < n; k++) {
        if (give_value(variant_value(e, first + k, m->name), m->name, m->unit, &q, err))
            return ERR_MISSING;
        if (k == 0 || how == SERIES_LAST || (how == SERIES_MIN && q.value < out->value) ||
            (how == SERIES_MAX && q.value > out->value))
            *out = q;
    }
    return n > 0 ? 0 : err_set(err, ERR_MISSING, "%s: the experiment has no steps", m->name);
}

/* Of an experiment that changes nothing the first step alone was measured, and stands for both. */
static int steps_there(const struct evidence *e, const struct experiment *x, int first,
                       const char *metric)
{
    bool alone = x->kind == EXPERIMENT_BENCHMARK && !variant_value(e, first + 1, metric);
    return alone ? 1 : x->n_steps;
}

static int series_lookup(const struct scope *s, const char *metric, enum series_reduce how,
                         struct quantity *out, struct err *err)
{
    const struct metric *m = metric_find(metric);
    if (!m)
        return err_set(err, ERR_BAD_REQUEST, "unknown name '%s'", metric);
    for (int i = 0; i < s->n_bought; i++)
        for (int x = 0; x < s->story->n_experiments; x++) {
            const struct experiment *e = &s->story->experiments[x];
            int first = wanted(s, e) ? first_variant(s->story, s->bought[i], e) : -1;
            if (first >= 0 && variant_value(s->bought[i], first, metric))
                return reduce_series(s->bought[i], first,
                                     steps_there(s->bought[i], e, first, metric), m, how, out,
                                     err);
        }
    return err_set(err, ERR_MISSING, "no experiment that shows %s was bought", metric);
}

/* ---- all names ---- */

static int other_lookup(const struct scope *s, const char *name, struct quantity *out,
                        struct err *err)
{
    if (!s->other)
        return err_set(err, ERR_MISSING, "other.%s: no other GPU was recorded", name);
    struct scope there = {.story = s->story, .device = &s->other->device, .all = s->other->times};
    return scope_lookup(&there, name, out, err);
}

int scope_lookup(void *scope, const char *name, struct quantity *out, struct err *err)
{
    const struct scope *s = scope;
    const char *rest, *run;
    char metric[64];
    enum series_reduce how;
    int param = name_param(s->story, name);
    if (param >= 0)
        return sized(s, param, NULL, DIM_NONE, out, err);
    if (story_is_case(s->story))
        return exhibits_lookup(s, name, out, err);
    if ((rest = name_other(name)))
        return other_lookup(s, rest, out, err);
    if ((rest = name_after(name, "gpu.")))
        return name_gpu(s->device, rest, out, err);
    if ((rest = name_after(name, "work.")))
        return work_lookup(s, rest, out, err);
    if ((rest = name_after(name, "ceiling.")))
        return ceiling_lookup(s, rest, out, err);
    if ((run = name_run(name, &rest)))
        return of_run(s, run, rest, out, err);
    if (!strcmp(name, "ratio"))
        return ratio_lookup(s, out, err);
    if (name_series(name, metric, sizeof metric, &how))
        return series_lookup(s, metric, how, out, err);
    return of_run(s, NULL, name, out, err);
}

