#include "scenarios/check/prose_pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static void put(struct pool *p, enum figure_kind kind, double value, struct dim dim)
{
    if (!isfinite(value) || value < 0)
        return;
    p->all = mem_more(p->all, (size_t)p->n, sizeof *p->all);
    p->all[p->n++] = (struct pool_value){value, kind, dim};
}

static void put_quantity(struct pool *p, double value, struct dim dim)
{
    if (!dim_equal(dim, DIM_NONE))
        put(p, FIGURE_QUANTITY, value, dim);
}

/* Two values of one thing: one as a multiple of the other, and by what share it is more or less. */
static void put_pair(struct pool *p, double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b);
    if (!(low > 0))
        return;
    put(p, FIGURE_TIMES, high / low, DIM_NONE);
    put(p, FIGURE_SHARE, high / low - 1, DIM_NONE);
    put(p, FIGURE_SHARE, 1 - low / high, DIM_NONE);
    put(p, FIGURE_SHARE, low / high, DIM_NONE);
}

/* ---- one part ---- */

static double present(const struct msg_part *part, const char *metric)
{
    const struct msg_value *v = msg_part_value(part, metric);
    return v && v->present ? v->value : NAN;
}

static bool is_stall(const char *name)
{
    return !strncmp(name, "stall_", 6);
}

static void put_metric(struct pool *p, const struct msg_part *part, const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    struct quantity q;
    if (!m || !v->present)
        return;
    name_give(&q, v->value, m->unit);
    put_quantity(p, q.value, q.dim);
    if (m->share)
        put(p, FIGURE_SHARE, v->value, DIM_NONE);
    if (is_stall(v->name))
        put(p, FIGURE_SHARE, v->value / present(part, "stall_total"), DIM_NONE);
    if (!strcmp(v->name, "registers"))
        put(p, FIGURE_REGISTERS, v->value, DIM_NONE);
    if (!strcmp(v->name, "ratio"))
        put_pair(p, v->value, 1);
    if (!strcmp(v->name, "longest_share"))
        put(p, FIGURE_SHARE, v->value, DIM_NONE);
}

static const struct msg_series *series_of(const struct msg_part *part, const char *name)
{
    for (int i = 0; i < part->n_series; i++)
        if (!strcmp(part->series[i].name, name))
            return &part->series[i];
    return NULL;
}

/* How long each kernel of a step took, its share, and the gaps. */
static void put_timeline(struct pool *p, const struct msg_part *part)
{
    const struct msg_series *start = series_of(part, "start"), *end = series_of(part, "end");
    double step = present(part, "step_time");
    for (int i = 0; start && end && i < start->n && i < end->n; i++) {
        double time = end->values[i] - start->values[i];
        put(p, FIGURE_QUANTITY, time, (struct dim){.second = 1});
        put(p, FIGURE_SHARE, time / step, DIM_NONE);
        if (i + 1 < start->n)
            put(p, FIGURE_QUANTITY, start->values[i + 1] - end->values[i],
                (struct dim){.second = 1});
    }
}

static void put_part(struct pool *p, const struct msg_part *part)
{
    for (int i = 0; i < part->n_metrics; i++)
        put_metric(p, part, &part->metrics[i]);
    put_timeline(p, part);
    const struct msg_series *shares = series_of(part, "share");
    for (int i = 0; shares && i < shares->n; i++)
        put(p, FIGURE_SHARE, shares->values[i], DIM_NONE);
}

/* ---- names of the scope ---- */

static double named(const struct bought *b, const char *name)
{
    struct scope scope = b->scope;
    struct quantity q;
    return scope_lookup(&scope, name, &q, NULL) ? NAN : q.value;
}

static double of_run(const struct bought *b, const char *run, const char *metric)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", run, metric);
    return named(b, name);
}

static const char *const rates[] = {"ceiling.copy", "ceiling.read", "ceiling.write", "ceiling.l2",
                                    "gpu.dram_peak"};
static const char *const flop_rates[] = {"ceiling.fma", "ceiling.tensor", "ceiling.peak_fma",
                                         "ceiling.peak_tensor"};
static const char *const runs[] = {"suspect", "fix", "best", "half", "rest"};
static const char *const amounts[] = {"dram_bytes", "dram_read_bytes", "dram_write_bytes",
                                      "l2_traffic"};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Bytes that move in a time: the rate, its share of each ceiling, and how long they would take. */
static void put_moved(struct pool *p, const struct bought *b, double bytes, double time)
{
    put(p, FIGURE_QUANTITY, bytes / time, DIM_BANDWIDTH);
    for (size_t k = 0; k < COUNT(rates); k++) {
        put(p, FIGURE_QUANTITY, bytes / named(b, rates[k]), (struct dim){.second = 1});
        put(p, FIGURE_SHARE, bytes / time / named(b, rates[k]), DIM_NONE);
        put(p, FIGURE_TIMES, time / (bytes / named(b, rates[k])), DIM_NONE);
    }
}

static void put_run(struct pool *p, const struct bought *b, const char *run)
{
    double time = of_run(b, run, "time"), clock = of_run(b, run, "sm_clock"),
           bytes = named(b, "work.bytes"), flops = named(b, "work.flops");
    put_moved(p, b, bytes, time);
    for (size_t k = 0; k < COUNT(amounts); k++) {
        put_moved(p, b, of_run(b, run, amounts[k]), time);
        put(p, FIGURE_TIMES, of_run(b, run, amounts[k]) / bytes, DIM_NONE);
    }
    put(p, FIGURE_QUANTITY, flops / time, DIM_RATE);
    for (size_t k = 0; k < COUNT(flop_rates); k++) {
        put(p, FIGURE_QUANTITY, flops / named(b, flop_rates[k]), (struct dim){.second = 1});
        put(p, FIGURE_SHARE, flops / named(b, flop_rates[k]) / time, DIM_NONE);
    }
    put(p, FIGURE_QUANTITY, time * clock, (struct dim){.cycle = 1});
    put(p, FIGURE_QUANTITY, of_run(b, run, "sm_active_max") / clock, (struct dim){.second = 1});
    put(p, FIGURE_QUANTITY, of_run(b, run, "sm_active_avg") / clock, (struct dim){.second = 1});
}

static void put_machine(struct pool *p, const struct bought *b)
{
    for (size_t k = 0; k < COUNT(rates); k++)
        put(p, FIGURE_QUANTITY, named(b, rates[k]), DIM_BANDWIDTH);
    for (size_t k = 0; k < COUNT(flop_rates); k++)
        put(p, FIGURE_QUANTITY, named(b, flop_rates[k]), DIM_RATE);
    put(p, FIGURE_QUANTITY, named(b, "ceiling.launch"), (struct dim){.second = 1});
    put(p, FIGURE_QUANTITY, named(b, "ceiling.event"), (struct dim){.second = 1});
    put(p, FIGURE_QUANTITY, named(b, "gpu.clock_hz"), DIM_HERTZ);
    put(p, FIGURE_QUANTITY, named(b, "gpu.l2_bytes"), DIM_BYTE);
    put(p, FIGURE_QUANTITY, named(b, "gpu.smem_sm"), DIM_BYTE);
    put(p, FIGURE_QUANTITY, named(b, "gpu.smem_block_optin"), DIM_BYTE);
}

/* Sizes of the task: its work, each buffer, and parameters that may be bytes. */
static void put_sizes(struct pool *p, const struct bought *b)
{
    const struct story *s = b->v->story;
    int64_t *values = mem_new((size_t)s->n_params, sizeof *values), count;
    if (!size_params(s, b->scope.device, -1, 0, values, NULL)) {
        for (int i = 0; i < s->n_params; i++)
            put(p, FIGURE_QUANTITY, (double)values[i], DIM_BYTE);
        for (int i = 0; i < s->n_buffers; i++)
            if (!size_whole(s, b->scope.device, values, &s->buffers[i].count, &count, NULL))
                put(p, FIGURE_QUANTITY, (double)count * elem_size(s->buffers[i].type), DIM_BYTE);
    }
    put(p, FIGURE_QUANTITY, named(b, "work.bytes"), DIM_BYTE);
    struct quantity flops;
    struct scope scope = b->scope;
    if (!scope_lookup(&scope, "work.flops", &flops, NULL))
        put_quantity(p, flops.value, flops.dim);
    free(values);
}

/* ---- pairs ---- */

/* The same metric of suspect, fix and best. */
static void put_sides(struct pool *p, const struct bought *b)
{
    size_t n;
    const struct metric *table = metric_table(&n);
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            for (int j = i + 1; j < 3; j++) {
                double one = of_run(b, runs[i], table[k].name),
                       other = of_run(b, runs[j], table[k].name);
                if (!strcmp(table[k].name, "time"))
                    put_pair(p, one, other);
                else if (one > 0 && other > 0)
                    put(p, FIGURE_TIMES, fmax(one, other) / fmin(one, other), DIM_NONE);
            }
}

/* Times of one experiment against each other, and against the story's own size. */
static void put_steps(struct pool *p, const struct bought *b)
{
    double own = of_run(b, "suspect", "time");
    for (int k = 0; k < b->scope.n_bought; k++) {
        const struct evidence *e = b->scope.bought[k];
        for (int i = 0; i < e->n_parts && story_experiment(b->v->story, e->probe); i++) {
            double time = present(&e->parts[i], "time");
            put_pair(p, time, own);
            for (int j = 0; j < i; j++)
                put_pair(p, time, present(&e->parts[j], "time"));
        }
    }
}

static void put_estimates(struct pool *p, const struct bought *b)
{
    for (int i = 0; i < b->v->n_truths; i++) {
        const struct truth *t = &b->v->truths[i];
        const struct expr *const both[] = {&t->truth, &t->working};
        for (int k = 0; k < 2 && !t->estimate->across; k++) {
            struct scope scope = b->scope;
            struct quantity q;
            if (!both[k]->f || formula_eval(both[k]->f, scope_lookup, &scope, &q, NULL, NULL))
                continue;
            bool plain = dim_equal(t->estimate->dim, DIM_NONE);
            put(p, plain ? FIGURE_TIMES : FIGURE_QUANTITY, q.value, t->estimate->dim);
            if (plain)
                put(p, FIGURE_SHARE, q.value, DIM_NONE);
        }
    }
}

void pool_fill(struct pool *out, const struct bought *b)
{
    *out = (struct pool){0};
    for (int i = 0; i < b->r->n_items; i++)
        put_part(out, &b->r->items[i].part);
    put_machine(out, b);
    put_sizes(out, b);
    for (int k = 0; k < 3; k++)
        put_run(out, b, runs[k]);
    put_sides(out, b);
    put_steps(out, b);
    put_estimates(out, b);
}

void pool_free(struct pool *p)
{
    free(p->all);
    *p = (struct pool){0};
}

bool pool_has(const struct pool *p, const struct figure_said *f)
{
    for (int i = 0; i < p->n; i++)
        if (p->all[i].kind == f->kind && dim_equal(p->all[i].dim, f->dim) &&
            figure_agrees(f, p->all[i].value))
            return true;
    return false;
}
