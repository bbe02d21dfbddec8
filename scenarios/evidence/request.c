#include "scenarios/evidence/request.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/program.h"
#include "scenarios/evidence/request_inside.h"
#include "scenarios/pack/harness.h"
#include "scenarios/pack/image.h"

enum { DEADLINE_ONE_MS = 60000, SEED_BITS = 53 };

/* ---- shapes: sizes, launches and work after the formulas were evaluated ---- */

static int make_host_step(struct making *k, struct msg_step *out, const struct host_item *from)
{
    struct quantity q = {0};
    int64_t bytes = 0;
    int rc = 0;
    *out = (struct msg_step){.kind = from->kind, .launch = from->launch, .buffer = from->buffer,
                             .stream = from->stream, .to_device = from->to_device,
                             .pinned = from->pinned, .anew = from->anew, .ptx = from->ptx,
                             .only = from->only};
    if (from->kind == HOST_ALLOC)
        rc = make_whole(k, &from->amount, 1, ALLOC_MOST, "alloc", &bytes);
    out->bytes = (uint64_t)bytes;
    if (from->kind == HOST_WAIT)
        rc = size_value(k->v->story, k->device, k->values, &from->amount, &q, k->err);
    out->seconds = q.value;
    if (rc || from->kind != HOST_WAIT || (q.value > 0 && q.value <= WAIT_MOST_S))
        return rc;
    err_set(k->err, ERR_BAD_REQUEST, "wait is %g s; above 0 and at most %g was expected",
            q.value, WAIT_MOST_S);
    return expr_fail(&from->amount, 1, k->v->story->pack, k->err);
}

static int make_host_steps(struct making *k, struct msg_run *run, const struct host_list *from)
{
    int rc = 0;
    if (from->n == 0)
        return 0;
    run->steps = mem_new((size_t)from->n, sizeof *run->steps);
    for (int i = 0; rc == 0 && i < from->n; i++)
        rc = make_host_step(k, &run->steps[run->n_steps++], &from->item[i]);
    return rc;
}

static int make_run(struct making *k, struct msg_shape *s, const char *id)
{
    int n;
    const struct launch *from = variant_launches(k->v, id, &n);
    struct msg_run *run = &s->runs[s->n_runs++];
    snprintf(run->id, sizeof run->id, "%s", id);
    run->launches = mem_new((size_t)n, sizeof *run->launches);
    int rc = 0;
    for (int i = 0; rc == 0 && i < n; i++)
        rc = make_launch(k, &run->launches[run->n_launches++], s, &from[i], id);
    return rc ? rc : make_host_steps(k, run, variant_steps(k->v, id));
}

static int make_runs(struct making *k, struct msg_shape *s, unsigned sides)
{
    s->runs = mem_new(CAP_RUNS, sizeof *s->runs);
    int rc = 0;
    for (int i = 0; rc == 0 && run_letters[i]; i++)
        if (sides & 1u << i)
            rc = make_run(k, s, (char[]){run_letters[i], 0});
    return rc;
}

static int make_buffers(struct making *k, struct msg_shape *s)
{
    const struct story *story = k->v->story;
    s->buffers = mem_new((size_t)story->n_buffers, sizeof *s->buffers);
    for (int i = 0; i < story->n_buffers; i++) {
        const struct buffer *from = &story->buffers[i];
        struct msg_buffer *b = &s->buffers[s->n_buffers++];
        int64_t count = 0;
        snprintf(b->name, sizeof b->name, "%s", from->name);
        b->type = from->type;
        b->role = from->role;
        b->fill = from->fill;
        int rc = make_whole(k, &from->count, 1, ((int64_t)1 << 50) - 1, "count", &count);
        if (rc)
            return rc;
        b->count = (uint64_t)count;
    }
    return 0;
}

static int make_work(struct making *k, struct msg_work *w)
{
    struct quantity bytes = {0}, flops = {0};
    int rc =
        size_value(k->v->story, k->device, k->values, &k->v->story->work_bytes, &bytes, k->err);
    if (rc == 0)
        rc =
            size_value(k->v->story, k->device, k->values, &k->v->story->work_flops, &flops, k->err);
    *w = (struct msg_work){bytes.value, flops.value};
    return rc;
}

static void make_defines(struct making *k, struct msg_shape *s)
{
    const struct story *story = k->v->story;
    s->define = mem_new((size_t)story->n_defines, sizeof *s->define);
    for (int i = 0; i < story->n_defines; i++) {
        struct msg_define *d = &s->define[s->n_define++];
        snprintf(d->name, sizeof d->name, "%s", story->defines[i].name);
        snprintf(d->value, sizeof d->value, "%lld", (long long)k->values[story->defines[i].param]);
    }
}

/* From values that are there. */
static int make_sized(struct making *k, struct msg_shape *s, unsigned sides)
{
    make_defines(k, s);
    int rc = make_buffers(k, s);
    if (rc == 0)
        rc = make_runs(k, s, sides);
    if (rc == 0)
        rc = make_work(k, &s->work);
    return rc;
}

static unsigned sides_of(const char *runs)
{
    unsigned sides = 0;
    for (; *runs; runs++)
        sides |= plan_side(runs);
    return sides;
}

int request_shape(struct msg_shape *out, const struct variant *v, const struct msg_device *device,
                  int64_t *values, const char *runs, struct err *err)
{
    struct making making = {v, device, values, err};
    return make_sized(&making, out, sides_of(runs));
}

/* vary -1: the story's own parameters. */
static int make_shape(struct making *k, struct msg_shape *s, unsigned sides, int vary,
                      int64_t value)
{
    int rc = size_params(k->v->story, k->device, vary, value, k->values, k->err);
    return rc ? rc : make_sized(k, s, sides);
}

/* A step's value is a formula over the story's own parameters, so those come first. */
static int make_swept(struct making *k, struct msg_shape *s, const struct experiment *x, int step,
                      unsigned sides)
{
    int64_t value = 0;
    int rc = size_params(k->v->story, k->device, -1, 0, k->values, k->err);
    if (rc == 0)
        rc = make_whole(k, &x->over[step], 1, (int64_t)1 << 52, "the step", &value);
    return rc ? rc : make_shape(k, s, sides, x->vary, value);
}

static void set_zeros(struct msg_shape *s)
{
    for (int i = 0; i < s->n_buffers; i++)
        if (s->buffers[i].role == ROLE_INPUT || s->buffers[i].role == ROLE_INOUT)
            s->buffers[i].fill = (struct msg_fill){.kind = FILL_ZEROS};
}

static int make_step(struct making *k, struct msg_shape *s, const struct experiment *x, int step)
{
    bool compared = x->measure == PROBE_CHECK || x->measure == PROBE_POISON ||
                    x->measure == PROBE_BENCHMARK;
    unsigned sides = SIDE_A | (compared ? plan_side("r") : 0);
    if (x->measure == PROBE_BENCHMARK && k->v->benchmark.baseline_file)
        sides |= plan_side("o");
    const struct standard_step *standard = x->standard ? &x->standard->step[step] : NULL;
    if (x->kind == EXPERIMENT_SWEEP)
        return make_swept(k, s, x, step, sides);
    int rc = make_shape(k, s, sides, -1, 0);
    for (int i = 0; rc == 0 && x->kind == EXPERIMENT_FILL && step == 1 && i < s->n_buffers; i++)
        s->buffers[i].fill = x->fills[i];
    if (rc == 0 && standard && standard->kind == STEP_ZEROS)
        set_zeros(s);
    if (rc == 0 && standard && standard->kind == STEP_REGISTERS)
        s->registers = standard->amount;
    return rc;
}

static int size_words(char *out, size_t size, bool goes_on, const struct param *p, int64_t value)
{
    return snprintf(out, size, "%s%s = %lld", goes_on ? ", " : "", param_words(p),
                    (long long)value);
}

void request_step_label(char *out, size_t size, const struct story *story,
                        const struct msg_device *device, const struct experiment *x, int step)
{
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values), value = 0;
    if (x->standard)
        snprintf(out, size, "%s", x->standard->step[step].label);
    else if (x->kind == EXPERIMENT_EXHIBIT)
        snprintf(out, size, "%s", x->title);
    else if (x->kind == EXPERIMENT_FILL)
        snprintf(out, size, "%s", step ? "changed" : "as given");
    else if (x->kind == EXPERIMENT_BENCHMARK && step == 0)
        snprintf(out, size, "as it is");
    else if (x->kind == EXPERIMENT_BENCHMARK)
        program_step(out, size, x->field, x->setting);
    else if (device && size_params(story, device, -1, 0, values, NULL) == 0 &&
             size_whole(story, device, values, &x->over[step], &value, NULL) == 0)
        size_words(out, size, false, &story->params[x->vary], value);
    else
        snprintf(out, size, "step %d", step + 1);
    free(values);
}

const char *request_step_unchanged(const struct variant *v, const struct experiment *x, int step)
{
    bool kernels = x->kind == EXPERIMENT_BENCHMARK && step > 0 && !variant_has_setting(v, x) &&
                   msg_benchmark_get(&v->benchmark.program, x->field) == x->setting;
    return kernels ? " (baseline changed)" : "";
}

const struct experiment *request_step_of(const struct story *story, int variant, int *step)
{
    *step = variant;
    for (int x = 0; x < story->n_experiments && *step >= 0;
         *step -= story->experiments[x++].n_steps)
        if (*step < story->experiments[x].n_steps)
            return &story->experiments[x];
    return NULL;
}

struct step_size request_step_size(const struct story *story, const struct msg_device *device,
                                   const struct experiment *x, int step)
{
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values), value = 0;
    struct step_size out = {0};
    struct quantity bytes = {0}, yield = {0};
    bool known = device && size_params(story, device, -1, 0, values, NULL) == 0;
    if (known && x && x->kind == EXPERIMENT_SWEEP && !x->standard) {
        known = size_whole(story, device, values, &x->over[step], &value, NULL) == 0;
        out.own = known && value == values[x->vary];
        known = known && size_params(story, device, x->vary, value, values, NULL) == 0;
    }
    if (known && story->work_bytes.f &&
        size_value(story, device, values, &story->work_bytes, &bytes, NULL) == 0)
        out.bytes = bytes.value;
    if (known && story->rate.unit &&
        size_value(story, device, values, &story->rate.per_run, &yield, NULL) == 0)
        out.yield = yield.value;
    free(values);
    return out;
}

void request_sizes(char *out, size_t size, const struct story *story,
                   const struct msg_device *device)
{
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values);
    size_t len = 0;
    *out = '\0';
    if (device && size_params(story, device, -1, 0, values, NULL) == 0)
        for (int i = 0; i < story->n_params; i++)
            if (story->params[i].label && len < size)
                len += (size_t)size_words(out + len, size - len, len > 0, &story->params[i],
                                          values[i]);
    free(values);
}

static void add_image(struct msg_source *s, const struct files *files, const struct file *f)
{
    struct image_files i;
    image_find(&i, files, f);
    if (!i.ptx)
        return;
    s->image.ptx = text_ndup(i.ptx->text, i.ptx->len);
    hash_bytes(s->image.sha256, i.ptx->text, i.ptx->len);
    hash_bytes(s->image.of, f->text, f->len);
}

static void add_source(struct msg_measure *m, const char *id, const struct files *files,
                       const struct file *f)
{
    struct msg_source *s = &m->sources[m->n_sources++];
    snprintf(s->id, sizeof s->id, "%s", id);
    snprintf(s->name, sizeof s->name, "%s", source_name(source_kind_of(f->path), id));
    s->text = text_ndup(f->text, f->len);
    add_image(s, files, f);
}

static void make_sources(struct msg_measure *m, const struct variant *v, unsigned sides)
{
    m->sources = mem_new(CAP_SOURCES, sizeof *m->sources);
    for (int i = 0; run_letters[i]; i++) {
        const char run[] = {run_letters[i], 0};
        if (sides & 1u << i)
            add_source(m, run, v->story->pack->files, variant_source(v, run));
    }
    for (int i = 0; i < m->n_sources; i++)
        m->sources[i].exact = v->story->needs_exact;
}

void request_sources(struct msg_measure *m, const struct variant *v, const char *runs)
{
    make_sources(m, v, sides_of(runs));
}

static int make_measure(struct msg_measure *m, struct making *k, struct plan *p)
{
    m->items = p->items;
    m->n_items = p->n;
    p->items = NULL;
    m->deadline_ms = DEADLINE_ONE_MS;
    m->tolerance = k->v->story->tolerance;
    m->ranks = k->v->story->gpus;
    make_sources(m, k->v, p->sides);
    int rc = make_shape(k, &m->base, p->sides, -1, 0);
    m->variants = mem_new((size_t)p->n_variants, sizeof *m->variants);
    for (int i = 0; rc == 0 && i < p->n_variants; i++)
        rc = make_step(k, &m->variants[m->n_variants++], p->experiments[i], p->step[i]);
    return rc;
}

int request_build(struct msg_measure *out, const struct variant *v, const struct msg_device *device,
                  const char *probe, uint64_t seed, struct err *err)
{
    if (story_is_case(v->story)) {
        *out = (struct msg_measure){0};
        return err_set(err, ERR_UNSUPPORTED, "%s is a case: nothing of it is run", v->full_id);
    }
    struct err here = {0}; /* callers may pass NULL, the steps below read the code */
    struct plan plan = {0};
    struct making making = {v, device, mem_new((size_t)v->story->n_params, sizeof(int64_t)), &here};
    *out = (struct msg_measure){.seed = seed & (((uint64_t)1 << SEED_BITS) - 1)};
    msg_device_number(device, "smem_sm", &plan.shared_sm);
    int rc = plan_probe(&plan, v, probe, &here);
    if (rc == 0 && plan.sides & ~(unsigned)SIDE_A)
        rc = variant_needs_answer(v, &here);
    if (rc == 0 &&
        ((plan.sides & plan_side("b") && !v->fix_file) ||
         (plan.sides & plan_side("r") && !v->reference_file)))
        rc = err_set(&here, ERR_MISSING, "%s lacks %s or %s", v->full_id, v->kind->fix,
                     v->kind->reference);
    if (rc == 0)
        rc = make_measure(out, &making, &plan);
    free(plan.items);
    free(making.values);
    if (rc) {
        msg_measure_free(out);
        *out = (struct msg_measure){0};
        err_set(err, rc, "%s", here.text);
    }
    return rc;
}

/* ---- what a GPU must have ---- */

/* The runner takes no more of the memory that is free (kernels/PROTOCOL.md). */
static const double MEMORY_SHARE = 0.6;

int request_claims(const struct story *story, const struct msg_device *device, struct err *err)
{
    if (story_is_case(story) || !story->needs_compute.f)
        return 0;
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values);
    struct quantity need = {0};
    double have = 0;
    int rc = size_params(story, device, -1, 0, values, err);
    if (rc == 0)
        rc = size_value(story, device, values, &story->needs_compute, &need, err);
    bool known = rc == 0 && msg_device_number(device, "compute", &have);
    if (known && story->needs_exact && have > need.value)
        rc = err_set(err, ERR_UNSUPPORTED,
                     "%s needs compute capability %.1f and no later one, for it uses what that "
                     "architecture alone has; this GPU has %.1f",
                     story->full_id, need.value, have);
    if (known && have < need.value)
        rc = err_set(err, ERR_UNSUPPORTED, "%s needs compute capability %.1f; this GPU has %.1f",
                     story->full_id, need.value, have);
    free(values);
    return rc;
}

int request_needs(const struct story *story, const struct msg_device *device, struct err *err)
{
    if (story_is_case(story))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is a case: nothing of it is run, so no GPU measures it", story->full_id);
    int64_t *values = mem_new((size_t)story->n_params, sizeof *values);
    struct quantity need = {0};
    double have = 1;
    int rc = size_params(story, device, -1, 0, values, err);
    if (rc == 0)
        rc = request_claims(story, device, err);
    msg_device_number(device, "gpus", &have);
    if (rc == 0 && have < story->gpus)
        rc = err_set(err, ERR_UNSUPPORTED,
                     "%s needs %d equal GPUs of one host, %.0f %s here: it is played from recorded "
                     "evidence",
                     story->full_id, story->gpus, have, have > 1 ? "are" : "is");
    need.value = 0;
    have = 0;
    if (rc == 0 && story->needs_memory.f)
        rc = size_value(story, device, values, &story->needs_memory, &need, err);
    if (rc == 0 && msg_device_number(device, "mem_bytes", &have) &&
        MEMORY_SHARE * have < need.value)
        rc = err_set(err, ERR_MEMORY,
                     "%s needs %.1f GB of GPU memory; a runner takes at most %.0f %% of this GPU's "
                     "%.1f GB",
                     story->full_id, need.value / 1e9, 100 * MEMORY_SHARE, have / 1e9);
    free(values);
    return rc;
}

/* ---- source text ---- */

struct evidence *request_source(const struct variant *v, const struct msg_device *device)
{
    struct evidence *e = evidence_new("source", "computed", device ? device->name : "");
    struct msg_part part = {.probe = PROBE_BUILD, .run = "a", .variant = -1, .tier = "computed"};
    struct msg_part *p = evidence_add(e, &part);
    char *listing = listing_text(v, "a", device);
    const char *at = listing, *end = at + strlen(listing);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = stop ? (size_t)(stop - at) : (size_t)(end - at);
        p->lines = mem_grow(p->lines, (size_t)p->n_lines + 1, sizeof *p->lines);
        p->lines[p->n_lines++] = text_ndup(at, len);
        at += len + 1;
    }
    free(listing);
    return e;
}
