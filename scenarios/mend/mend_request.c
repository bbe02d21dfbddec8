#include "scenarios/mend/mend_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/mend/mend.h"
#include "scenarios/pack/failing.h"

enum {
    OTHER_SIZES = 4,
    REPEATS = 8,
    DEADLINE_MS = 60000,
    SANITIZE_DEADLINE_MS = 120000,
    FIRST_DEADLINE_MS = 12000 /* what does not end is told early */
};

struct asking {
    struct msg_measure *m;
    const struct mend_task *t;
    int64_t *own, *values;
    bool *fixed;
    struct err *err;
};

static struct msg_item *add_item(struct msg_measure *m, enum wire_probe probe, int variant)
{
    m->items = mem_grow(m->items, (size_t)m->n_items + 1, sizeof *m->items);
    struct msg_item *it = &m->items[m->n_items++];
    *it = (struct msg_item){.probe = probe, .n_runs = 1, .variant = variant};
    snprintf(it->runs[0], sizeof it->runs[0], MEND_RUN);
    if (probe == PROBE_CHECK || probe == PROBE_POISON || probe == PROBE_TIMING)
        snprintf(it->against, sizeof it->against, "r");
    return it;
}

/* ---- shapes: the others' runs, and the person's beside them ---- */

static int add_own_run(struct asking *a, struct msg_shape *shape)
{
    struct variant mine = *a->t->v;
    struct msg_measure all = {0};
    mine.launches = a->t->launches->launch;
    mine.n_launches = a->t->launches->n;
    mine.steps = a->t->launches->steps;
    int rc = request_shape(&all.base, &mine, a->t->device, a->values, "a", a->err);
    if (rc == 0) {
        struct msg_run *run = &shape->runs[shape->n_runs++];
        *run = all.base.runs[0];
        all.base.n_runs = 0;
        snprintf(run->id, sizeof run->id, MEND_RUN);
        for (int i = 0; i < run->n_launches; i++)
            snprintf(run->launches[i].source, sizeof run->launches[i].source, MEND_RUN);
    }
    msg_measure_free(&all);
    return rc;
}

static int make_shape(struct asking *a, struct msg_shape *shape, const char *others)
{
    int rc = request_shape(shape, a->t->v, a->t->device, a->values, others, a->err);
    return rc ? rc : add_own_run(a, shape);
}

static void add_own_source(struct msg_measure *m, const struct mend_task *t)
{
    struct msg_source *s = &m->sources[m->n_sources++];
    snprintf(s->id, sizeof s->id, MEND_RUN);
    snprintf(s->name, sizeof s->name, "%s", t->name);
    s->text = text_dup(t->text);
    s->exact = t->v->story->needs_exact;
    s->stateless = true;
}

/* ---- sizes at which it must be right too ---- */

/* The sizes of `shape` in a->values; false where they cannot be had on this GPU. */
static bool size_of_shape(struct asking *a, const struct shape *shape)
{
    const struct story *story = a->t->v->story;
    memset(a->fixed, 0, (size_t)story->n_params * sizeof *a->fixed);
    for (int i = 0; i < shape->n_sizes; i++) {
        int k = shape->sizes[i].param;
        a->fixed[k] = true;
        if (size_whole(story, a->t->device, a->own, &shape->sizes[i].value, &a->values[k], NULL))
            return false;
    }
    return size_params_fixed(story, a->t->device, a->fixed, a->values, NULL) == 0;
}

/* A step of a sweep that asks for less than the story's own value. */
static bool size_of_step(struct asking *a, const struct experiment *x, int step)
{
    const struct story *story = a->t->v->story;
    int64_t value = 0;
    return size_whole(story, a->t->device, a->own, &x->over[step], &value, NULL) == 0 &&
           value < a->own[x->vary] &&
           size_params(story, a->t->device, x->vary, value, a->values, NULL) == 0;
}

static int add_size(struct asking *a)
{
    struct msg_measure *m = a->m;
    if (m->n_variants >= OTHER_SIZES)
        return 0;
    m->variants = mem_grow(m->variants, (size_t)m->n_variants + 1, sizeof *m->variants);
    struct msg_shape *shape = &m->variants[m->n_variants++];
    *shape = (struct msg_shape){0};
    int rc = make_shape(a, shape, "r");
    add_item(m, PROBE_CHECK, m->n_variants - 1);
    return rc;
}

static int add_sizes(struct asking *a)
{
    const struct variant *v = a->t->v;
    int rc = 0;
    for (int i = 0; rc == 0 && i < v->n_shapes; i++)
        if (size_of_shape(a, &v->shapes[i]))
            rc = add_size(a);
    for (int i = 0; rc == 0 && i < v->story->n_experiments; i++) {
        const struct experiment *x = &v->story->experiments[i];
        for (int k = 0; rc == 0 && x->kind == EXPERIMENT_SWEEP && k < x->n_steps; k++)
            if (size_of_step(a, x, k))
                rc = add_size(a);
    }
    return rc;
}

/* ---- stages ---- */

static void ask_first(struct msg_measure *m)
{
    add_item(m, PROBE_CHECK, -1);
    add_item(m, PROBE_POISON, -1);
    add_item(m, PROBE_REPEAT, -1)->repeat = REPEATS;
}

/* What may end the worker comes last: texts that load vectors fault where a base lies on 8
 * bytes. */
static int ask_rest(struct asking *a)
{
    static const int moves[] = {256, 16, 8};
    add_item(a->m, PROBE_CHECK, -1);
    int rc = add_sizes(a);
    add_item(a->m, PROBE_CHECK, -1)->fence = true;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        add_item(a->m, PROBE_CHECK, -1)->offset = moves[i];
    return rc;
}

static void ask_race(struct msg_measure *m, const char *others)
{
    for (; *others != 'r'; others++) {
        struct msg_item *it = add_item(m, PROBE_TIMING, -1);
        it->n_runs = 2;
        snprintf(it->runs[1], sizeof it->runs[1], "%c", *others);
    }
}

static void ask_metrics(struct msg_measure *m)
{
    static const enum wire_probe probes[] = {PROBE_RESOURCES, PROBE_OCCUPANCY, PROBE_DRAM,
                                             PROBE_MEMORY,    PROBE_SHARED,    PROBE_STALLS,
                                             PROBE_PIPES};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        add_item(m, probes[i], -1);
}

static void ask_sanitizer(struct msg_measure *m)
{
    static const char *const tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        struct msg_item *it = add_item(m, PROBE_SANITIZE, -1);
        snprintf(it->tool, sizeof it->tool, "%s", tools[i]);
    }
    m->deadline_ms = SANITIZE_DEADLINE_MS;
}

/* Those it races against, the target first, and the reference. */
static const char *others_of(const struct variant *v, enum mend_stage stage)
{
    static const char *const racing[] = {"ar", "car", "bar", "bacr"};
    static const char *const alone[] = {"r", "cr", "br", "bcr"}; /* without a suspect that fails */
    if (stage == MEND_METRICS || stage == MEND_SANITIZE)
        return "";
    if (stage != MEND_RACE && stage != MEND_AHEAD)
        return "r";
    if (v->task)
        return "cr";
    return (variant_fails(v) ? alone : racing)[2 * !!v->fix_file + !!v->best_file];
}

static int ask(struct asking *a, enum mend_stage stage)
{
    const struct mend_task *t = a->t;
    const char *others = others_of(t->v, stage);
    request_sources(a->m, t->v, others);
    add_own_source(a->m, t);
    int rc = size_params(t->v->story, t->device, -1, 0, a->own, a->err);
    memcpy(a->values, a->own, (size_t)t->v->story->n_params * sizeof *a->own);
    if (rc == 0)
        rc = make_shape(a, &a->m->base, others);
    if (rc)
        return rc;
    switch (stage) {
    case MEND_FIRST: ask_first(a->m); break;
    case MEND_RACE: ask_race(a->m, others); break;
    case MEND_REST: return ask_rest(a);
    case MEND_AHEAD: ask_race(a->m, others); return ask_rest(a);
    case MEND_SANITIZE: ask_sanitizer(a->m); break;
    case MEND_METRICS: case MEND_STAGES: ask_metrics(a->m); break;
    }
    return 0;
}

int mend_request(struct msg_measure *out, const struct mend_task *t, enum mend_stage stage,
                 uint64_t seed, struct err *err)
{
    size_t n = (size_t)t->v->story->n_params;
    *out = (struct msg_measure){.seed = seed, .deadline_ms = stage == MEND_FIRST ? FIRST_DEADLINE_MS
                                                                   : DEADLINE_MS,
                                .tolerance = t->v->story->tolerance};
    struct asking a = {.m = out, .t = t, .own = mem_new(n, sizeof *a.own),
                       .values = mem_new(n, sizeof *a.values),
                       .fixed = mem_new(n, sizeof *a.fixed), .err = err};
    int rc = ask(&a, stage);
    free(a.own);
    free(a.values);
    free(a.fixed);
    return rc;
}

/* The first buffer of another length tells the size. */
static const struct msg_buffer *other_buffer(const struct msg_measure *m, int variant)
{
    const struct msg_shape *s = msg_shape_of(m, variant);
    for (int i = 0; variant >= 0 && i < s->n_buffers; i++)
        if (s->buffers[i].count != m->base.buffers[i].count)
            return &s->buffers[i];
    return NULL;
}

void mend_item_words(char *out, size_t size, const struct msg_measure *m, int item)
{
    const struct msg_item *it = &m->items[item];
    const struct msg_buffer *other = other_buffer(m, it->variant);
    if (other)
        snprintf(out, size, " at another size (%s of %llu elements)", other->name,
                 (unsigned long long)other->count);
    else if (it->variant >= 0)
        snprintf(out, size, " at another size");
    else if (it->offset)
        snprintf(out, size, " with buffers that begin %d bytes later", it->offset);
    else if (it->fence)
        snprintf(out, size, " with a page behind each buffer that is not mapped");
    else
        snprintf(out, size, "%s", "");
}
