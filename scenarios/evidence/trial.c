#include "scenarios/evidence/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/pack_buffers.h"
#include "scenarios/pack/pack_experiments.h"
#include "scenarios/pack/pack_image.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/pack_launches.h"
#include "scenarios/pack/pack_sources.h"

enum { DEADLINE_MS = 60000, SEED = 7, LEAST_REGISTERS = 16, MOST_REGISTERS = 255 };

struct trial {
    struct pack pack;            /* no stories: the files that messages quote */
    struct story story; /* its parameters have names alone; values come with each request */
    struct variant
        variant; /* the source, and as its fix the launches that are timed against the story's */
    struct pack_memory memory;
    const struct metric *metric;
    enum cache_state cache;
    struct expr times, registers; /* f NULL when absent */
    bool pair;
    bool *used;
};

/* ---- reading ---- */

static void name_params(struct trial *t, char *const *names, int n)
{
    t->story.params = arena_new(&t->memory.arena, (size_t)n, sizeof *t->story.params);
    t->used = arena_new(&t->memory.arena, (size_t)n, sizeof *t->used);
    t->story.n_params = n;
    for (int i = 0; i < n; i++)
        t->story.params[i].name = names[i];
}

static int read_launch_list(struct reader *r, struct trial *t, const struct yaml *y,
                            struct launch **out, int *n, struct host_list *steps)
{
    int rc = read_launches(r, y, &t->story, out, n, steps);
    return rc ? rc : read_source(r, t->variant.suspect, &t->story, y);
}

static int read_runs(struct reader *r, struct trial *t, const struct yaml *const *k)
{
    struct side *other = &t->variant.fix;
    t->variant.kind = &source_kinds[SOURCE_CUDA];
    int rc =
        read_path(r, k[TRIAL_K_SOURCE], "measured", t->variant.kind->ending, &t->variant.suspect);
    if (rc)
        return rc;
    t->variant.fix_file = t->variant.suspect;
    rc = read_launch_list(r, t, k[TRIAL_K_LAUNCHES], &t->story.launches, &t->story.n_launches,
                          &t->story.steps);
    if (!rc && k[TRIAL_K_AGAINST])
        rc = read_launch_list(r, t, k[TRIAL_K_AGAINST], &other->launches, &other->n_launches,
                              &other->steps);
    return rc;
}

static int read_metric(struct reader *r, struct trial *t, const struct yaml *y)
{
    int rc = yaml_is_scalar(y, "a metric", r->err);
    t->metric = rc ? NULL : metric_find(y->text);
    if (!rc && (!t->metric || t->metric->probe > PROBE_PIPES || t->metric->probe == PROBE_BUILD))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "no metric '%.60s'; time, ratio, blocks_per_sm or another figure of a "
                         "kernel was expected",
                         y->text);
    if (!rc && t->pair != !strcmp(t->metric->name, "ratio"))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%s' %s 'against'; ratio, and nothing else, was expected to have it",
                       y->text, t->pair ? "with" : "without");
    return rc;
}

static int read_conditions(struct reader *r, struct trial *t, const struct yaml *const *k)
{
    static const char *const states[] = {"cold", "warm"};
    int cache = CACHE_COLD, rc = 0;
    if (k[TRIAL_K_CACHE])
        rc = yaml_choice(k[TRIAL_K_CACHE], states, 2, "a state of the cache", &cache, r->err);
    if (!rc && k[TRIAL_K_TIMES])
        rc = read_size(r, k[TRIAL_K_TIMES], &t->story, 1, CAP_LAUNCHES, &t->times);
    if (!rc && k[TRIAL_K_REGISTERS])
        rc = read_size(r, k[TRIAL_K_REGISTERS], &t->story, LEAST_REGISTERS, MOST_REGISTERS,
                       &t->registers);
    t->cache = (enum cache_state)cache;
    return rc ? rc : read_work(r, &t->story, k[TRIAL_K_WORK]);
}

static int mark_used(void *ctx, const char *name)
{
    struct trial *t = ctx;
    for (int i = 0; i < t->story.n_params; i++)
        t->used[i] = t->used[i] || !strcmp(t->story.params[i].name, name);
    return 0;
}

static void mark_args(struct trial *t, const struct launch *l, int n)
{
    for (int i = 0; i < n; i++)
        for (int a = 0; a < l[i].n_args; a++)
            if (!arg_of_buffer(l[i].args[a].kind) && !l[i].args[a].value.f)
                t->used[l[i].args[a].index] = true;
}

static void find_used(struct trial *t)
{
    for (int i = 0; i < t->memory.n_formulas; i++)
        formula_names(t->memory.formulas[i], mark_used, t, NULL);
    mark_args(t, t->story.launches, t->story.n_launches);
    mark_args(t, t->variant.fix.launches, t->variant.fix.n_launches);
    for (int i = 0; i < t->story.n_defines; i++)
        t->used[t->story.defines[i].param] = true;
}

static int read_all(struct reader *r, struct trial *t, const struct yaml *y)
{
    const struct yaml *k[TRIAL_KEYS];
    int rc = yaml_keys(y, &trial_shape, k, r->err);
    if (rc)
        return rc;
    t->pair = k[TRIAL_K_AGAINST] != NULL;
    rc = read_defines(r, &t->story, k[TRIAL_K_DEFINE]);
    if (!rc)
        rc = read_buffers(r, &t->story, k[TRIAL_K_BUFFERS]);
    if (!rc)
        rc = read_runs(r, t, k);
    if (!rc)
        rc = read_metric(r, t, k[TRIAL_K_METRIC]);
    return rc ? rc : read_conditions(r, t, k);
}

int trial_read(struct trial **out, const struct yaml *y, const struct files *files,
               char *const *names, int n_names, struct err *err)
{
    struct trial *t = mem_new(1, sizeof *t);
    struct reader r = {.pack = &t->pack, .memory = &t->memory, .err = err};
    t->pack.files = (struct files *)files;
    t->story.pack = &t->pack;
    t->story.kind = (char *)"kernel";
    t->variant.story = &t->story;
    name_params(t, names, n_names);
    int rc = read_all(&r, t, y);
    free_scanned(&r);
    if (rc) {
        trial_free(t);
        t = NULL;
    } else {
        find_used(t);
    }
    *out = t;
    return rc;
}

void trial_free(struct trial *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->memory.n_formulas; i++)
        formula_free(t->memory.formulas[i]);
    free(t->memory.formulas);
    arena_free(&t->memory.arena);
    free(t);
}

/* ---- asking ---- */

const struct metric *trial_metric(const struct trial *t)
{
    return t->metric;
}

bool trial_uses(const struct trial *t, int k)
{
    return t->used[k];
}

const char *trial_run(const struct trial *t)
{
    return t->pair ? "a/b" : "a";
}

/* The launches of a run, so many times over. */
static void repeat_launches(struct msg_run *run, int64_t times)
{
    int n = run->n_launches;
    run->launches = mem_grow(run->launches, (size_t)(n * times), sizeof *run->launches);
    for (; run->n_launches < n * times; run->n_launches++)
        run->launches[run->n_launches] = run->launches[run->n_launches - n];
}

static int set_times(struct msg_measure *out, const struct trial *t,
                     const struct msg_device *device, int64_t *values, struct err *err)
{
    int64_t times = 1;
    int rc = t->times.f ? size_whole(&t->story, device, values, &t->times, &times, err) : 0;
    for (int i = 0; rc == 0 && i < out->base.n_runs; i++) {
        if (times < 1 || times * out->base.runs[i].n_launches > CAP_LAUNCHES) {
            err_set(err, ERR_BAD_REQUEST,
                    "%lld times %d launches; at most %d launches were expected", (long long)times,
                    out->base.runs[i].n_launches, CAP_LAUNCHES);
            return expr_fail(&t->times, 1, &t->pack, err);
        }
        repeat_launches(&out->base.runs[i], times);
    }
    return rc;
}

static int set_registers(struct msg_measure *out, const struct trial *t,
                         const struct msg_device *device, int64_t *values, struct err *err)
{
    int64_t most = 0;
    int rc = t->registers.f ? size_whole(&t->story, device, values, &t->registers, &most, err) : 0;
    if (!rc && t->registers.f && (most < LEAST_REGISTERS || most > MOST_REGISTERS)) {
        err_set(err, ERR_BAD_REQUEST, "%lld registers; %d to %d were expected", (long long)most,
                LEAST_REGISTERS, MOST_REGISTERS);
        return expr_fail(&t->registers, 1, &t->pack, err);
    }
    out->base.registers = (int)most;
    return rc;
}

static void add_source(struct msg_measure *m, const struct file *f, const char *id)
{
    struct msg_source *s = &m->sources[m->n_sources++];
    const char *slash = strrchr(f->path, '/');
    snprintf(s->id, sizeof s->id, "%s", id);
    snprintf(s->name, sizeof s->name, "%s", slash ? slash + 1 : f->path);
    s->text = text_ndup(f->text, f->len);
}

static void set_item(struct msg_measure *m, const struct trial *t)
{
    struct msg_item *it = m->items = mem_new(1, sizeof *it);
    m->n_items = 1;
    *it = (struct msg_item){.probe = t->metric->probe,
                            .runs = {"a", "b"},
                            .n_runs = t->pair ? 2 : 1,
                            .variant = -1,
                            .cache = t->cache};
    m->sources = mem_new(2, sizeof *m->sources);
    add_source(m, t->variant.suspect, "a");
    if (t->pair)
        add_source(m, t->variant.suspect, "b");
    else
        it->runs[1][0] = '\0';
}

int trial_request(struct msg_measure *out, const struct trial *t, const struct msg_device *device,
                  int64_t *values, struct err *err)
{
    *out = (struct msg_measure){.seed = SEED, .deadline_ms = DEADLINE_MS};
    set_item(out, t);
    int rc = request_shape(&out->base, &t->variant, device, values, t->pair ? "ab" : "a", err);
    if (!rc)
        rc = set_times(out, t, device, values, err);
    if (!rc)
        rc = set_registers(out, t, device, values, err);
    if (rc) {
        msg_measure_free(out);
        *out = (struct msg_measure){0};
    }
    return rc;
}
