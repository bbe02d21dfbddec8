/* Sizes where they are known: the story's own, each step of its sweeps, `shapes`; on each recorded
 * GPU, on one that the author names, or on a large one where none is recorded. */
#include "scenarios/check/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_bought.h"
#include "scenarios/check/checker_sizes_for.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"

struct fitting {
    struct findings *f;
    const struct variant *v;
    const struct msg_device *device;
    const char *slug;          /* NULL: of no GPU in particular */
    bool of_each; /* GPUs that were asked for: what does not fit is told of each */
    const char *runs;
    int64_t *own, *values;     /* of all parameters */
    bool *fixed;
};

static void fail(const struct fitting *t, const char *label, const struct err *err)
{
    (t->of_each ? findings_failed_on : findings_failed)(t->f, "sizes", t->v->story->pack,
                                                        t->v->full_id, t->slug, label, err);
}

/* Fills whose values depend on how many elements there are. */
static void check_fills(const struct fitting *t, const struct msg_shape *shape, const char *label)
{
    const struct story *s = t->v->story;
    double value;
    for (int i = 0; i < shape->n_buffers; i++) {
        const struct msg_buffer *b = &shape->buffers[i];
        struct err err = {0};
        if (fill_fits(&b->fill, b->type, (double)b->count, &value))
            continue;
        err_set(&err, ERR_BAD_REQUEST,
                "the fill of %s makes %g, which %s cannot hold; a wider type or fewer elements "
                "were expected",
                b->name, value, elem_name(b->type));
        expr_fail(&s->buffers[i].count, 1, s->pack, &err);
        fail(t, label, &err);
    }
}

/* A run that yields nothing, or a part of one, has no rate; sizes of `shapes` are never timed. */
static void check_rate(const struct fitting *t, const char *label)
{
    const struct story *s = t->v->story;
    const struct expr *e = &s->rate.per_run;
    struct err err = {0};
    int64_t yield = 0;
    int rc = s->rate.unit ? size_whole(s, t->device, t->values, e, &yield, &err) : 0;
    if (s->rate.unit && rc == 0 && yield < 1) {
        err_set(&err, ERR_BAD_REQUEST, "a run yields %lld %s; 1 or more were expected",
                (long long)yield, s->rate.unit);
        rc = expr_fail(e, 1, s->pack, &err);
    }
    if (rc)
        fail(t, label, &err);
}

static void check_shape(const struct fitting *t, const char *label)
{
    struct msg_measure m = {0};
    struct err err = {0};
    if (request_shape(&m.base, t->v, t->device, t->values, t->runs, &err))
        fail(t, label, &err);
    else
        check_fills(t, &m.base, label);
    if (!*label && m.base.n_runs)
        check_workspaces(t->f, t->v, t->slug, &m.base);
    msg_measure_free(&m);
}

/* ---- what the GPU has ---- */

static void fail_at(const struct fitting *t, const struct expr *e, struct err *err)
{
    expr_fail(e, 1, t->v->story->pack, err);
    fail(t, "", err);
}

static void check_shared(const struct fitting *t, const char *run)
{
    const struct story *s = t->v->story;
    double most;
    int n;
    const struct launch *launches = variant_launches(t->v, run, &n);
    if (*run == 'a' && t->v->pair == PAIR_REFUSED) /* for this, it may be */
        return;
    if (!msg_device_number(t->device, "smem_block_optin", &most))
        return;
    for (int i = 0; i < n; i++) {
        const struct expr *e = &launches[i].shared;
        struct err err = {0};
        int64_t shared = 0;
        if (!e->f || size_whole(s, t->device, t->own, e, &shared, NULL) || (double)shared <= most)
            continue;
        err_set(&err, ERR_BAD_REQUEST,
                "%lld bytes of shared memory for each block; at most %.0f were expected, which is "
                "what a block of %s may have",
                (long long)shared, most, t->device->name);
        fail_at(t, e, &err);
    }
}

static double bytes_of(const struct msg_shape *shape)
{
    double bytes = 0;
    for (int i = 0; i < shape->n_buffers; i++)
        bytes += (double)shape->buffers[i].count * elem_size(shape->buffers[i].type);
    return bytes;
}

/* Buffers alone: results that are kept beside them depend on what is asked. */
static void check_memory(const struct fitting *t)
{
    const struct story *s = t->v->story;
    struct msg_measure m = {0};
    struct quantity need = {0};
    struct err err = {0};
    double most, bytes = 0;
    if (request_shape(&m.base, t->v, t->device, t->own, t->runs, &err) == 0)
        bytes = bytes_of(&m.base);
    msg_measure_free(&m);
    err = (struct err){0};
    if (msg_device_number(t->device, "mem_bytes", &most) && bytes > most) {
        err_set(&err, ERR_BAD_REQUEST,
                "the buffers take %.4g GB; at most %.4g were expected, which is what %s has",
                bytes / 1e9, most / 1e9, t->device->name);
        fail_at(t, &s->buffers[0].count, &err);
    } else if (s->needs_memory.f &&
               !size_value(s, t->device, t->own, &s->needs_memory, &need, NULL) &&
               need.value < bytes) {
        err_set(&err, ERR_BAD_REQUEST,
                "%.0f bytes are said to be needed, and the buffers alone take %.0f; their sum and "
                "what is kept beside them was expected",
                need.value, bytes);
        fail_at(t, &s->needs_memory, &err);
    }
}

static void check_device(const struct fitting *t)
{
    check_shared(t, "a");
    for (const char *run = variant_mended(t->v); *run; run++)
        check_shared(t, (char[]){*run, 0});
    check_memory(t);
}

/* ---- other sizes ---- */

static void check_step(const struct fitting *t, const struct experiment *x, int step)
{
    const struct story *s = t->v->story;
    struct err err = {0};
    int64_t value = 0;
    char label[120];
    int rc = size_whole(s, t->device, t->own, &x->over[step], &value, &err);
    snprintf(label, sizeof label, "at %s %lld, a step of %s: ", s->params[x->vary].name,
             (long long)value, x->id);
    if (rc)
        fail(t, "", &err);
    else if (size_params(s, t->device, x->vary, value, t->values, &err))
        fail(t, label, &err);
    else {
        check_rate(t, label);
        check_shape(t, label);
    }
}

static void check_other(const struct fitting *t, const struct shape *shape)
{
    const struct story *s = t->v->story;
    struct err err = {0};
    char label[120] = "at ";
    size_t len = 3;
    int rc = 0;
    memset(t->fixed, 0, (size_t)s->n_params * sizeof *t->fixed);
    for (int i = 0; rc == 0 && i < shape->n_sizes; i++) {
        int p = shape->sizes[i].param;
        t->fixed[p] = true;
        rc = size_whole(s, t->device, t->own, &shape->sizes[i].value, &t->values[p], &err);
        if (rc == 0 && len < sizeof label)
            len += (size_t)snprintf(label + len, sizeof label - len, "%s %lld%s", s->params[p].name,
                                    (long long)t->values[p],
                                    i + 1 < shape->n_sizes ? ", " : " of shapes: ");
    }
    if (rc)
        fail(t, "", &err);
    else if (size_params_fixed(s, t->device, t->fixed, t->values, &err))
        fail(t, label, &err);
    else
        check_shape(t, label);
}

static void check_on(struct fitting *t, const struct msg_device *device)
{
    const struct story *s = t->v->story;
    struct err err = {0};
    t->device = device;
    t->slug = *device->slug ? device->slug : NULL;
    if (size_params(s, device, -1, 0, t->own, &err)) {
        fail(t, "", &err);
        return;
    }
    memcpy(t->values, t->own, (size_t)s->n_params * sizeof *t->own);
    check_rate(t, "");
    check_shape(t, "");
    check_device(t);
    for (int i = 0; i < s->n_experiments; i++)
        for (int k = 0; s->experiments[i].kind == EXPERIMENT_SWEEP && k < s->experiments[i].n_steps;
             k++)
            check_step(t, &s->experiments[i], k);
    for (int i = 0; i < t->v->n_shapes; i++)
        check_other(t, &t->v->shapes[i]);
}

/* What the story claims of GPUs that nobody recorded: on the least of them a block has what it
 * asks for. */
static void check_claim(struct fitting *t)
{
    const struct story *s = t->v->story;
    struct quantity need = {0};
    struct msg_device least;
    const struct gpu *g;
    if (!s->needs_compute.f || size_value(s, t->device, t->own, &s->needs_compute, &need, NULL) ||
        !(g = gpu_least(need.value)))
        return;
    gpu_attributes(&least, g);
    t->device = &least;
    t->slug = least.slug;
    if (size_params(s, &least, -1, 0, t->own, NULL) == 0) {
        check_shared(t, "a");
        check_shared(t, "b");
    }
    msg_device_free(&least);
}

/* What playing it there needs. */
static void check_needs(const struct fitting *t)
{
    const struct story *s = t->v->story;
    const struct expr *e = s->needs_memory.f ? &s->needs_memory : &s->needs_compute;
    struct err err = {0};
    double have = 0;
    struct quantity need = {0};
    if (!request_needs(s, t->device, &err))
        return;
    if (s->needs_compute.f && msg_device_number(t->device, "compute", &have) &&
        size_value(s, t->device, t->own, &s->needs_compute, &need, NULL) == 0 &&
        (have < need.value || s->needs_exact))
        e = &s->needs_compute;
    if (e->f)
        fail_at(t, e, &err);
}

static struct fitting fitting_begin(struct findings *f, const struct variant *v)
{
    size_t n = (size_t)v->story->n_params;
    return (struct fitting){.f = f,
                            .v = v,
                            .runs = variant_runs(v),
                            .own = mem_new(n, sizeof(int64_t)),
                            .values = mem_new(n, sizeof(int64_t)),
                            .fixed = mem_new(n, sizeof(bool))};
}

static void fitting_end(struct fitting *t)
{
    free(t->own);
    free(t->values);
    free(t->fixed);
}

void check_fit_on(struct findings *f, const struct variant *v, const struct msg_device *device)
{
    if (story_is_case(v->story))
        return;
    struct fitting t = fitting_begin(f, v);
    t.of_each = true;
    check_on(&t, device);
    check_needs(&t);
    fitting_end(&t);
}

void check_fit(struct findings *f, const struct variant *v)
{
    struct recording **recordings = NULL;
    const struct msg_device large = checker_large_gpu();
    int n = 0;
    if (story_is_case(v->story))
        return;
    struct fitting t = fitting_begin(f, v);
    if (recordings_of(v, &recordings, &n, NULL))
        n = 0;
    for (int i = 0; i < n; i++)
        check_on(&t, &recordings[i]->device);
    if (n == 0)
        check_on(&t, &large);
    check_claim(&t);
    recordings_free(recordings, n);
    fitting_end(&t);
}
