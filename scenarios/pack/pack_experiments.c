/* What may be tried on a story: macros that stand for parameters, and experiments. */

#include "scenarios/pack/pack_experiments.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/text/near.h"
#include "scenarios/pack/pack_benchmark.h"
#include "scenarios/pack/pack_buffers.h"

enum { MAX_OVER = 16, MAX_EXPERIMENTS = 4, MAX_CHANGES = 8, OWN_PRICE = 3 };

static const char *const experiment_kinds[] = {"sweep", "fill", "benchmark"};

int find_param(struct reader *r, const struct yaml *y, const struct story *s, int *out)
{
    int rc = yaml_is_scalar(y, "the name of a parameter", r->err);
    if (rc)
        return rc;
    struct near near = {.word = y->text};
    char hint[96];
    for (*out = 0; *out < s->n_params; ++*out) {
        if (!strcmp(s->params[*out].name, y->text))
            return 0;
        near_try(&near, s->params[*out].name);
    }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "no parameter '%.60s'%s; one of params was expected", y->text,
                     near_hint(&near, hint, sizeof hint));
}

int read_defines(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 0, CAP_DEFINES, "a map from macro to parameter", r->err) : 0;
    if (rc || !y)
        return rc;
    s->defines = arena_new(&r->memory->arena, (size_t)y->n, sizeof *s->defines);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct define *d = &s->defines[s->n_defines++];
        d->file = yaml_doc_file(v->doc)->path;
        d->line = v->key->line;
        d->col = v->key->col;
        if ((rc = read_name(r, v->key, "macro", &d->name)) || (rc = find_param(r, v, s, &d->param)))
            return rc;
    }
    return 0;
}

/* ---- experiments ---- */

static int read_sweep(struct reader *r, const struct yaml *y, const struct yaml *const *k,
                      struct story *s, struct experiment *x)
{
    int rc = 0;
    if (!k[EXPERIMENT_K_VARY] || !k[EXPERIMENT_K_OVER])
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "a sweep without 'vary' or 'over'; both were expected");
    if ((rc = find_param(r, k[EXPERIMENT_K_VARY], s, &x->vary)) ||
        (rc = yaml_is_list(k[EXPERIMENT_K_OVER], 2, MAX_OVER, "a list of values", r->err)))
        return rc;
    x->over = arena_new(&r->memory->arena, (size_t)k[EXPERIMENT_K_OVER]->n, sizeof *x->over);
    for (const struct yaml *v = k[EXPERIMENT_K_OVER]->first; !rc && v; v = v->next)
        rc = read_size(r, v, s, 1, SIZE_MAX_WHOLE, &x->over[x->n_steps++]);
    return rc;
}

static int find_filled(struct reader *r, const struct yaml *key, const struct story *s, int *out)
{
    for (*out = 0; *out < s->n_buffers; ++*out)
        if (!strcmp(s->buffers[*out].name, key->text))
            break;
    if (*out < s->n_buffers &&
        (s->buffers[*out].role == ROLE_INPUT || s->buffers[*out].role == ROLE_INOUT))
        return 0;
    return yaml_fail(key, ERR_BAD_REQUEST, r->err,
                     "no buffer '%.60s' that is filled; an input or inout buffer was expected",
                     key->text);
}

static int read_fills(struct reader *r, const struct yaml *y, const struct yaml *const *k,
                      struct story *s, struct experiment *x)
{
    if (!k[EXPERIMENT_K_FILLS])
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "no 'fills'; a map from buffer to other contents was expected");
    int rc = yaml_is_map(k[EXPERIMENT_K_FILLS], 1, CAP_BUFFERS,
                         "a map from buffer to other contents", r->err);
    x->n_steps = 2;
    x->fills = arena_new(&r->memory->arena, CAP_BUFFERS, sizeof *x->fills);
    for (int i = 0; i < s->n_buffers; i++)
        x->fills[i] = s->buffers[i].fill;
    for (const struct yaml *v = rc ? NULL : k[EXPERIMENT_K_FILLS]->first; !rc && v; v = v->next) {
        int at = 0;
        rc = find_filled(r, v->key, s, &at);
        if (!rc)
            rc = read_fill(r, v, s->buffers[at].type, &x->fills[at]);
    }
    return rc;
}

/* The benchmark as it is, and with one step changed. */
static int read_benchmark_change(struct reader *r, const struct yaml *y,
                                 const struct yaml *const *k, const struct story *s,
                                 struct experiment *x)
{
    if (!story_is_harness(s))
        return yaml_fail(k[EXPERIMENT_K_KIND], ERR_BAD_REQUEST, r->err,
                         "a benchmark in a story that is no harness; sweep or fill was expected");
    if (!k[EXPERIMENT_K_CHANGE])
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "no 'change'; one step of the benchmark and another setting was expected");
    x->n_steps = 2;
    x->measure = PROBE_BENCHMARK;
    return read_change(r, k[EXPERIMENT_K_CHANGE], x);
}

/* Keys of other kinds than this one. */
static int refuse_keys(struct reader *r, const struct yaml *const *k, enum experiment_kind kind)
{
    static const struct { int key; enum experiment_kind of; } own[] = {
        {EXPERIMENT_K_VARY, EXPERIMENT_SWEEP},
        {EXPERIMENT_K_OVER, EXPERIMENT_SWEEP},
        {EXPERIMENT_K_FILLS, EXPERIMENT_FILL},
        {EXPERIMENT_K_CHANGE, EXPERIMENT_BENCHMARK},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (k[own[i].key] && own[i].of != kind)
            return yaml_fail(k[own[i].key], ERR_BAD_REQUEST, r->err,
                             "'%s'; only kind %s was expected to have it",
                             k[own[i].key]->key->text, experiment_kinds[own[i].of]);
    return k[EXPERIMENT_K_MEASURE] && kind == EXPERIMENT_BENCHMARK
               ? yaml_fail(k[EXPERIMENT_K_MEASURE], ERR_BAD_REQUEST, r->err,
                           "'measure' of a benchmark, which is what it measures; none was expected")
               : 0;
}

/* The number of a harness is its benchmark's, so nothing else is timed there. */
static int refuse_timing(struct reader *r, const struct yaml *y, const struct story *s,
                         const struct experiment *x)
{
    return story_is_harness(s) && x->measure == PROBE_TIMING
               ? yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                           "'%s' times the kernel itself; kind: benchmark was expected in a "
                           "harness, or another measure",
                           x->id)
               : 0;
}

static bool is_standard(const char *id)
{
    size_t n;
    const struct standard *table = standard_table(&n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(table[i].id, id))
            return true;
    return false;
}

static int read_measure(struct reader *r, const struct yaml *y, struct experiment *x)
{
    static const char *const names[] = {"timing", "check",  "resources", "occupancy",
                                        "dram",   "memory", "shared", "outcome"};
    int choice = 0;
    int rc = y ? yaml_choice(y, names, sizeof names / sizeof *names, "what each step measures",
                             &choice, r->err)
               : 0;
    if (!rc)
        x->measure = (enum wire_probe)wire_probe_find(names[choice]);
    return rc;
}

static int read_experiment(struct reader *r, const struct yaml *y, struct story *s,
                           struct experiment *x)
{
    const struct yaml *k[EXPERIMENT_KEYS];
    int kind;
    int rc = read_key_id(r, y->key, "the id of an experiment", &x->id);
    if (!rc && (probe_by_name(x->id) || is_standard(x->id)))
        rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                       "'%s' is a probe or a standard experiment already; another id was expected",
                       x->id);
    if (!rc)
        rc = yaml_keys(y, &experiment_shape, k, r->err);
    if (!rc)
        rc = yaml_choice(k[EXPERIMENT_K_KIND], experiment_kinds, 3, "a kind of experiment", &kind,
                         r->err);
    if (!rc)
        rc = read_text(r, k[EXPERIMENT_K_TITLE], TITLE, false, "a title", &x->title);
    if (!rc)
        rc = read_measure(r, k[EXPERIMENT_K_MEASURE], x);
    if (!rc)
        rc = refuse_keys(r, k, (enum experiment_kind)kind);
    if (rc)
        return rc;
    x->kind = (enum experiment_kind)kind;
    x->shop = SHOP_EXPERIMENT;
    x->price = OWN_PRICE;
    rc = x->kind == EXPERIMENT_BENCHMARK ? read_benchmark_change(r, y, k, s, x)
         : x->kind == EXPERIMENT_FILL    ? read_fills(r, y, k, s, x)
                                         : read_sweep(r, y, k, s, x);
    return rc ? rc : refuse_timing(r, y, s, x);
}

/* What moves or watches the buffers of one GPU is not to be had of several, and what a block's
 * registers or a warm cache change is not what a step of several GPUs is about. */
static bool is_of_ranks(const struct standard *x)
{
    return x->measure == PROBE_REPEAT ||
           (x->measure == PROBE_TIMING && x->step[x->n_steps - 1].kind == STEP_ZEROS);
}

static void add_standard(struct reader *r, struct story *s)
{
    size_t n;
    const struct standard *table = standard_table(&n);
    for (size_t i = 0; i < n; i++) {
        if (story_is_harness(s) && table[i].measure == PROBE_TIMING)
            continue;
        if (s->gpus > 1 && !is_of_ranks(&table[i]))
            continue;
        s->experiments[s->n_experiments++] =
            (struct experiment){.id =
                                    arena_text(&r->memory->arena, table[i].id, strlen(table[i].id)),
                                .title = arena_text(&r->memory->arena, table[i].title,
                                                    strlen(table[i].title)),
                                .kind = EXPERIMENT_STANDARD,
                                .shop = table[i].shop,
                                .price = table[i].price,
                                .measure = table[i].measure,
                                .n_steps = table[i].n_steps,
                                .vary = -1,
                                .standard = &table[i]};
    }
}

int read_experiments(struct reader *r, struct story *s, const struct yaml *y)
{
    size_t standards;
    standard_table(&standards);
    int rc = y ? yaml_is_map(y, 0, story_is_harness(s) ? MAX_CHANGES : MAX_EXPERIMENTS,
                             "a map of experiments", r->err) : 0;
    s->experiments =
        arena_new(&r->memory->arena, standards + (y ? (size_t)y->n : 0), sizeof *s->experiments);
    for (const struct yaml *v = y && !rc ? y->first : NULL; !rc && v; v = v->next) {
        rc = read_experiment(r, v, s, &s->experiments[s->n_experiments]);
        s->n_experiments += rc == 0;
    }
    if (!rc)
        add_standard(r, s);
    return rc;
}
