#include "kernels/runner/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/computed.h"
#include "kernels/runner/lines.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/profiler.h"
#include "kernels/wire/text.h"

enum { GROUP_NAMES = 64 };

static void add_sum(struct counter_names *out, const char *sum)
{
    while (sum && *sum && out->n < sizeof out->name / sizeof *out->name) {
        size_t len = strcspn(sum, " ");
        out->name[out->n++] = text_ndup(sum, len);
        sum += len;
        sum += strspn(sum, " +");
    }
}

void counters_names(struct counter_names *out, const struct metric *m, const char *chip)
{
    *out = (struct counter_names){.n = 0};
    bool there = m->chips && !strncmp(chip, m->chips, strlen(m->chips));
    add_sum(out, there ? m->num_there : m->num);
    out->n_numerator = out->n;
    add_sum(out, m->den);
}

void counters_names_free(struct counter_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->name[i]);
    names->n = 0;
}

bool counters_serve(enum wire_probe probe)
{
    size_t n;
    const struct metric *m = metric_of_probe(probe, &n);
    for (size_t i = 0; i < n; i++)
        if (m[i].num)
            return true;
    return probe == PROBE_LINES;
}

struct counters {
    struct gpu *gpu;
    struct profiler *profiler;   /* NULL until first use, or when it cannot be had */
};

struct counters *counters_new(struct gpu *g)
{
    struct counters *c = mem_new(1, sizeof *c);
    c->gpu = g;
    return c;
}

void counters_free(struct counters *c)
{
    if (c)
        profiler_free(c->profiler);
    free(c);
}

/* What hinders it now (a busy profiler, full memory) may be over when it is asked again. */
static int open_once(struct counters *c, struct err *err)
{
    return c->profiler ? 0 : profiler_new(&c->profiler, c->gpu, err);
}

const char *counters_version(struct counters *c)
{
    return open_once(c, NULL) ? "" : profiler_version(c->profiler);
}

/* ---- the proof ---- */

static int nothing(void *arg, int pass, int of, struct err *err)
{
    (void)arg, (void)pass, (void)of, (void)err;
    return 0;
}

static int launch_empty(void *arg, struct err *err)
{
    struct task *t = arg;
    int rc = gpu_launch(t->gpu, OWN_EMPTY, 1, 32, NULL, err);
    return rc ? rc : task_wait(t, err);
}

int counters_prove(struct counters *c, struct task *t, struct err *err)
{
    const char *name = "smsp__inst_executed.sum";
    double value = 0;
    int rc = open_once(c, err);
    if (rc)
        return rc;
    struct profiler_work work = {.arg = t, .prepare = nothing, .launch = launch_empty};
    return profiler_collect(c->profiler, &name, 1, &work, &value, err);
}

/* ---- one group ---- */

struct group {
    const struct metric *metrics;
    size_t n_metrics;
    struct counter_names needs[GROUP_NAMES];   /* of each metric */
    bool known[GROUP_NAMES];                   /* the chip has all that the metric needs */
    const char *names[GROUP_NAMES];            /* each counter once; borrowed from needs */
    double values[GROUP_NAMES];
    size_t n_names;
};

static size_t find_name(const struct group *g, const char *name)
{
    size_t i = 0;
    while (i < g->n_names && strcmp(g->names[i], name) != 0)
        i++;
    return i;
}

static void add_metric(struct group *g, struct profiler *p, size_t at)
{
    struct counter_names *needs = &g->needs[at];
    counters_names(needs, &g->metrics[at], profiler_chip(p));
    g->known[at] = needs->n > 0;
    for (size_t i = 0; i < needs->n; i++)
        g->known[at] = g->known[at] && profiler_knows(p, needs->name[i]);
    for (size_t i = 0; i < needs->n && g->known[at]; i++)
        if (find_name(g, needs->name[i]) == g->n_names && g->n_names < GROUP_NAMES)
            g->names[g->n_names++] = needs->name[i];
}

static void open_group(struct group *g, struct profiler *p, enum wire_probe probe)
{
    g->metrics = metric_of_probe(probe, &g->n_metrics);
    for (size_t i = 0; i < g->n_metrics && i < GROUP_NAMES; i++)
        add_metric(g, p, i);
}

static void close_group(struct group *g)
{
    for (size_t i = 0; i < g->n_metrics; i++)
        counters_names_free(&g->needs[i]);
    free(g);
}

static double sum_of(const struct group *g, const struct counter_names *needs, size_t from,
                     size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += g->values[find_name(g, needs->name[i])];
    return sum;
}

static void add_value(const struct group *g, size_t at, const char *chip, struct msg_part *p)
{
    const struct metric *m = &g->metrics[at];
    const struct counter_names *needs = &g->needs[at];
    if (!m->num)
        return;
    if (!g->known[at]) {
        part_missing(p, m->name, "unsupported: %s has no such counter", chip);
        return;
    }
    double num = sum_of(g, needs, 0, needs->n_numerator),
           den = m->den ? sum_of(g, needs, needs->n_numerator, needs->n) : 1;
    if (m->den && den == 0)
        part_missing(p, m->name, "nothing: no such instruction was executed");
    else if (!isfinite(num / den))
        part_missing(p, m->name, "nothing: there was nothing to count");
    else
        part_value(p, m->name, m->scale * num / den);
}

static void add_stall_total(struct msg_part *p)
{
    double sum = 0;
    for (int i = 0; i < p->n_metrics; i++)
        sum += p->metrics[i].present ? p->metrics[i].value : 0;
    part_value(p, "stall_total", sum);
}

static void add_all_missing(enum wire_probe probe, const struct err *why, struct msg_part *p)
{
    size_t n;
    const struct metric *m = metric_of_probe(probe, &n);
    for (size_t i = 0; i < n; i++)
        part_missing(p, m[i].name, "%s: %.900s", err_name(why->code), why->text);
}

/* ---- what is replayed ---- */

struct replay {
    struct task *task;
    struct bench *bench;
    struct buffers *buffers;
    struct plan *plan;
    int launch;       /* the one that is counted */
    const char *probe, *run;
};

static int prepare_pass(void *arg, int pass, int of, struct err *err)
{
    struct replay *r = arg;
    int rc;
    task_progress(r->task, r->probe, pass, of, "pass %d of %d over %s", pass, of, r->run);
    if ((rc = buffers_restore(r->buffers, POISON_NAN, err)) || (rc = bench_flush(r->bench, err)) ||
        (rc = plan_enqueue(r->plan, r->task->gpu, 0, r->launch, err)))
        return rc;
    return task_wait(r->task, err);
}

static int launch_counted(void *arg, struct err *err)
{
    struct replay *r = arg;
    int rc = plan_enqueue(r->plan, r->task->gpu, r->launch, r->launch + 1, err);
    return rc ? rc : gpu_wait(r->task->gpu, r->task->until, err);
}

/* On an H200 asynchronous copies count among the loads but not in this share, which then reads 0.
 */
static void drop_empty_share(struct msg_part *p)
{
    const struct msg_value *requests = msg_part_value(p, "load_requests");
    for (int i = 0; i < p->n_metrics; i++) {
        struct msg_value *v = &p->metrics[i];
        if (strcmp(v->name, "load_efficiency") != 0 || !v->present || v->value > 0 || !requests ||
            !requests->present || requests->value <= 0)
            continue;
        v->present = false;
        v->missing = text_dup(
            "nothing: it leaves asynchronous copies out, and this kernel loads by nothing else");
    }
}

static int collect_group(struct counters *c, struct replay *r, enum wire_probe probe,
                         struct msg_part *p, struct err *err)
{
    struct group *g = mem_new(1, sizeof *g);
    struct profiler_work work = {.arg = r, .prepare = prepare_pass, .launch = launch_counted};
    open_group(g, c->profiler, probe);
    int rc = profiler_collect(c->profiler, g->names, g->n_names, &work, g->values, err);
    for (size_t i = 0; i < g->n_metrics && !rc; i++)
        add_value(g, i, profiler_chip(c->profiler), p);
    if (!rc && probe == PROBE_STALLS)
        add_stall_total(p);
    if (!rc && probe == PROBE_MEMORY)
        drop_empty_share(p);
    if (!rc)
        part_note(p, "%d %s", profiler_passes(c->profiler),
                  profiler_passes(c->profiler) == 1 ? "pass" : "passes");
    close_group(g);
    return rc;
}

static int collect_longest(struct counters *c, struct replay *r, enum wire_probe probe,
                           struct msg_part *p, struct err *err)
{
    int rc = plan_longest(r->plan, r->task, &r->launch, err);
    if (!rc)
        rc = collect_group(c, r, probe, p, err);
    if (!rc && r->plan->n > 1)
        part_note(p, "of launch %d of %d, the longest", r->launch + 1, r->plan->n);
    return rc;
}

static int collect_lines(struct counters *c, const struct replay *r, int variant,
                         struct msg_part *p, struct err *err)
{
    struct lines_work w = {.cupti = profiler_api(c->profiler),
                           .task = r->task,
                           .bench = r->bench,
                           .buffers = r->buffers,
                           .plan = r->plan,
                           .variant = variant};
    w.run = msg_run_find(msg_shape_of(r->task->measure, variant), r->run);
    return lines_collect(&w, p, err);
}

/* What the profiler could not do concerns its metrics alone; what the kernel did ends the request.
 */
static bool profiler_refusal(int code, const struct gpu *g)
{
    return !g->lost && code != ERR_LAUNCH && code != ERR_BAD_REQUEST && code != ERR_TIMEOUT &&
           code != ERR_CANCELLED && code != ERR_LOST && code != ERR_NO_GPU;
}

static int measure_part(struct counters *c, struct replay *r, const struct msg_item *item,
                        struct msg_part *p, struct err *err)
{
    int rc = open_once(c, err);
    if (!rc)
        rc = item->probe == PROBE_LINES ? collect_lines(c, r, item->variant, p, err)
                                        : collect_longest(c, r, item->probe, p, err);
    if (rc && profiler_refusal(rc, r->task->gpu) && computed_serves(item->probe)) {
        struct err why = *err;
        return computed_fill(p, r->task, r->buffers, r->plan, &why, err);
    }
    if (rc && profiler_refusal(rc, r->task->gpu)) {
        task_refuse(r->task, err);
        add_all_missing(item->probe, err, p);
        rc = 0;
    }
    return rc;
}

int counters_measure(struct counters *c, struct task *t, struct bench *b, struct buffers *base,
                     const struct msg_item *item, const char *run, struct err *err)
{
    struct plan plan;
    struct err local = {.code = 0};
    int rc = plan_new(&plan, t, item->variant, run, base, err);
    if (rc)
        return rc;
    struct replay r = {.task = t,
                       .bench = b,
                       .buffers = base,
                       .plan = &plan,
                       .probe = wire_probe_name(item->probe),
                       .run = run};
    struct msg_part *p = task_part_new(t, item->probe, run, item->variant);
    rc = measure_part(c, &r, item, p, &local);
    plan_free(&plan);
    if (rc) {
        task_part_free(p);
        return err_copy(err, &local);
    }
    return task_part_send(t, p, err);
}
