#include "kernels/runner/timeline.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/activity.h"
#include "kernels/runner/hosted.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { STEPS = 15, STEPS_LEAST = 3, RESERVE_MS = 500, OWN_PREFIX = 3 };
#define BUDGET_S 1.0 /* GPU time of the steps */
#define NO_GAP_S 1e-10 /* what rounding leaves; the GPU's clock counts nanoseconds */

struct timeline {
    struct activity *activity; /* NULL until first use, or when CUPTI cannot be had */
    bool tried;
    struct err why;            /* the reason, when it was tried in vain */
};

/* One pass through the step, counted from the start of its first kernel, or of its host's first
 * call. */
struct step {
    struct span span[CAP_LAUNCHES];
    struct span call[CAP_STEPS + 1]; /* of a host; the last waits for the device */
    double length;
};

struct measuring {
    struct task *task;
    struct bench *bench;
    struct buffers *buffers;
    const struct msg_run *run;
    struct plan plan;
    struct hosted *hosted;     /* NULL: it only launches */
    struct activity *activity; /* NULL: by events */
    struct plan_marks marks;
    struct step steps[STEPS];
    int n_steps, disturbed;    /* disturbed: launch overhead got in */
};

struct timeline *timeline_new(void)
{
    return mem_new(1, sizeof(struct timeline));
}

void timeline_free(struct timeline *tl)
{
    if (tl)
        activity_free(tl->activity);
    free(tl);
}

struct activity *timeline_activity(struct timeline *tl, struct err *why)
{
    if (!tl->tried) {
        tl->tried = true;
        activity_new(&tl->activity, &tl->why);
    }
    *why = tl->why;
    return tl->activity;
}

static int by_start(const void *a, const void *b)
{
    double x = ((const struct span *)a)->start, y = ((const struct span *)b)->start;
    return (x > y) - (x < y);
}

static void sort_spans(struct span *sorted, const struct span *spans, int n)
{
    memcpy(sorted, spans, (size_t)n * sizeof *spans);
    qsort(sorted, (size_t)n, sizeof *sorted, by_start);
}

double timeline_gap(const struct span *spans, int n, double length)
{
    struct span sorted[CAP_LAUNCHES];
    double gap = 0, until = 0;
    sort_spans(sorted, spans, n);
    for (int i = 0; i < n; i++) {
        gap = fmax(gap, sorted[i].start - until);
        until = fmax(until, sorted[i].end);
    }
    return fmax(gap, length - until);
}

double timeline_busy(const struct span *spans, int n)
{
    struct span sorted[CAP_LAUNCHES];
    double busy = 0, until = -DBL_MAX;
    sort_spans(sorted, spans, n);
    for (int i = 0; i < n; i++) {
        double from = fmax(sorted[i].start, until);
        busy += fmax(0, sorted[i].end - from);
        until = fmax(until, sorted[i].end);
    }
    return busy;
}

/* ---- events ---- */

static int make_marks(struct measuring *m, struct err *err)
{
    struct gpu *g = m->task->gpu;
    int rc = 0;
    for (int i = 0; i < m->plan.n && !rc; i++)
        if (!(rc = GPU(g, err, cuEventCreate, &m->marks.before[i], CU_EVENT_PLAIN)))
            rc = GPU(g, err, cuEventCreate, &m->marks.after[i], CU_EVENT_PLAIN);
    return rc;
}

static void free_marks(struct measuring *m)
{
    struct gpu *g = m->task->gpu;
    for (int i = 0; i < m->plan.n && !g->lost; i++) {
        if (m->marks.before[i])
            GPU(g, NULL, cuEventDestroy_v2, m->marks.before[i]);
        if (m->marks.after[i])
            GPU(g, NULL, cuEventDestroy_v2, m->marks.after[i]);
    }
}

static int read_marks(struct measuring *m, struct step *s, struct err *err)
{
    struct gpu *g = m->task->gpu;
    int rc = 0;
    for (int i = 0; i < m->plan.n && !rc; i++) {
        float start = 0, length = 0;
        if ((i == 0 || !(rc = GPU(g, err, cuEventElapsedTime, &start, m->marks.before[0],
                                  m->marks.before[i]))))
            rc = GPU(g, err, cuEventElapsedTime, &length, m->marks.before[i], m->marks.after[i]);
        s->span[i] = (struct span){(double)start / 1e3, (double)start / 1e3 + (double)length / 1e3};
    }
    return rc;
}

/* ---- CUPTI ---- */

/* The runner's own kernels around the step are recorded too. */
static bool is_own(const char *name)
{
    return !strncmp(name, "wd_", OWN_PREFIX);
}

static uint64_t first_start(const struct activity_kernel *k, int n)
{
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < n; i++)
        if (!is_own(k[i].name) && k[i].start < first)
            first = k[i].start;
    return first;
}

/* Nanoseconds between two moments, of which either may come first. */
static double since(uint64_t from, uint64_t to)
{
    return to >= from ? (double)(to - from) * 1e-9 : -(double)(from - to) * 1e-9;
}

/* What was recorded must be the step's kernels, one for one. CUPTI completes its records at a
 * synchronisation; polling the stream, which has ended, need not count as one. Spans count from
 * *origin, or from the first kernel where that is NULL. */
static int read_records(struct measuring *m, struct step *s, const uint64_t *origin,
                        struct err *err)
{
    const struct activity_kernel *k = NULL;
    int n = 0, at = 0, rc = GPU(m->task->gpu, err, cuCtxSynchronize);
    if (!rc)
        rc = activity_take(m->activity, &k, &n, err);
    uint64_t first = origin ? *origin : first_start(k, n);
    for (int i = 0; i < n && !rc; i++) {
        if (is_own(k[i].name))
            continue;
        if (at == m->plan.n || strcmp(k[i].name, m->run->launches[at].kernel) != 0 ||
            k[i].end < k[i].start || !k[i].start)
            return err_set(err, ERR_INTERNAL, "CUPTI recorded something else than the step: %s",
                           k[i].name);
        s->span[at++] = (struct span){since(first, k[i].start), since(first, k[i].end)};
    }
    if (!rc && at < m->plan.n)
        rc = err_set(err, ERR_INTERNAL, "CUPTI recorded %d of %d kernels", at, m->plan.n);
    return rc;
}

/* The first kernel after the start may make CUPTI allocate, which must not happen behind the
 * spinning kernel. */
static int start_records(struct measuring *m, struct err *err)
{
    const struct activity_kernel *k;
    int n, rc;
    if ((rc = activity_start(m->activity, false, err)))
        return rc;
    if ((rc = plan_enqueue(&m->plan, m->task->gpu, 0, m->plan.n, err)) ||
        (rc = task_wait(m->task, err)))
        return rc;
    return activity_take(m->activity, &k, &n, err);
}

/* ---- steps ---- */

static int enqueue_step(void *arg, struct err *err)
{
    struct measuring *m = arg;
    if (m->activity)
        return plan_enqueue(&m->plan, m->task->gpu, 0, m->plan.n, err);
    return plan_enqueue_marked(&m->plan, m->task->gpu, &m->marks, err);
}

static void settle(struct step *s, int n)
{
    double first = s->span[0].start, last = s->span[0].end;
    for (int i = 1; i < n; i++) {
        first = fmin(first, s->span[i].start);
        last = fmax(last, s->span[i].end);
    }
    for (int i = 0; i < n; i++) {
        s->span[i].start -= first;
        s->span[i].end -= first;
    }
    s->length = last - first;
}

static int one_step(struct measuring *m, struct err *err)
{
    struct step *s = &m->steps[m->n_steps];
    struct sample sample;
    int rc;
    if ((rc = buffers_restore(m->buffers, POISON_NAN, err)) || (rc = bench_flush(m->bench, err)) ||
        (rc = bench_sample(m->bench, m->task, enqueue_step, m, &sample, err)) ||
        (rc = m->activity ? read_records(m, s, NULL, err) : read_marks(m, s, err)))
        return rc;
    settle(s, m->plan.n);
    m->disturbed += !sample.valid;
    m->n_steps++;
    return 0;
}

/* Both clocks are read at once, before the host's first step. */
static int one_hosted_step(struct measuring *m, struct err *err)
{
    struct step *s = &m->steps[m->n_steps];
    struct hosted_call calls[CAP_STEPS + 1];
    int n = hosted_steps(m->hosted), rc;
    uint64_t origin = 0;
    if ((rc = buffers_restore(m->buffers, POISON_NAN, err)) || (rc = bench_flush(m->bench, err)) ||
        (rc = task_wait(m->task, err)) || (rc = activity_now(m->activity, &origin, err)))
        return rc;
    uint64_t begin = hosted_now();
    if ((rc = hosted_step(m->hosted, calls, err)) || (rc = read_records(m, s, &origin, err)))
        return rc;
    for (int i = 0; i <= n; i++)
        s->call[i] = (struct span){since(begin, calls[i].start), since(begin, calls[i].end)};
    s->length = s->call[n].end;
    m->n_steps++;
    return 0;
}

static int all_steps(struct measuring *m, struct err *err)
{
    int64_t last = m->task->until - RESERVE_MS;
    double spent = 0;
    int rc = 0;
    while (m->n_steps < STEPS && !rc) {
        if (m->n_steps >= STEPS_LEAST && m->n_steps % 2 &&
            (spent > BUDGET_S || os_monotonic_ms() >= last))
            break;
        task_progress(m->task, "timeline", m->n_steps, STEPS, "step %d of %d", m->n_steps + 1,
                      STEPS);
        if (!(rc = m->hosted ? one_hosted_step(m, err) : one_step(m, err)))
            spent += m->steps[m->n_steps - 1].length;
    }
    return rc;
}

static int by_records(struct measuring *m, struct err *err)
{
    int rc = start_records(m, err);
    if (!rc)
        rc = all_steps(m, err);
    activity_stop(m->activity);
    return rc;
}

/* The kernels run once unmarked, as they do before anything is timed. */
static int by_events(struct measuring *m, struct err *err)
{
    int rc;
    m->activity = NULL;
    m->n_steps = m->disturbed = 0;
    if ((rc = make_marks(m, err)) ||
        (rc = plan_enqueue(&m->plan, m->task->gpu, 0, m->plan.n, err)) ||
        (rc = task_wait(m->task, err)))
        return rc;
    return all_steps(m, err);
}

/* ---- the part ---- */

static int by_length(const void *a, const void *b)
{
    double x = ((const struct step *)a)->length, y = ((const struct step *)b)->length;
    return (x > y) - (x < y);
}

static void add_kernels(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    int n = m->plan.n;
    double *kernel = part_series(p, "kernel", n), *stream = part_series(p, "stream", n);
    double *start = part_series(p, "start", n), *end = part_series(p, "end", n);
    for (int i = 0; i < n; i++) {
        kernel[i] = i;
        stream[i] = m->run->launches[i].stream;
        start[i] = s->span[i].start;
        end[i] = s->span[i].end;
        part_line(p, "%s", m->run->launches[i].kernel);
    }
}

/* Rows of the host: its steps, numbered in order, and behind them the wait for the device. Their
 * names follow those of the kernels. */
static void add_calls(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    int n = hosted_steps(m->hosted) + 1;
    double *step = part_series(p, "host", n), *start = part_series(p, "host_start", n);
    double *end = part_series(p, "host_end", n), api = 0;
    for (int i = 0; i < n; i++) {
        enum host_step kind = i + 1 < n ? hosted_at(m->hosted, i)->kind : HOST_SYNC;
        step[i] = i;
        start[i] = s->call[i].start;
        end[i] = s->call[i].end;
        api += kind == HOST_WAIT ? 0 : end[i] - start[i];
        part_line(p, "%s", step_name(kind));
    }
    part_value(p, "api_time", api);
    part_value(p, "longest_gap", timeline_gap(s->span, m->plan.n, s->length));
}

static void add_metrics(struct measuring *m, struct msg_part *p)
{
    double lengths[STEPS];
    int longest = 0;
    qsort(m->steps, (size_t)m->n_steps, sizeof *m->steps, by_length);
    for (int i = 0; i < m->n_steps; i++)
        lengths[i] = m->steps[i].length;
    const struct step *s = &m->steps[m->n_steps / 2];
    struct interval spread = stats_interval(lengths, m->n_steps);
    double busy = timeline_busy(s->span, m->plan.n);
    for (int i = 1; i < m->plan.n; i++)
        if (s->span[i].end - s->span[i].start > s->span[longest].end - s->span[longest].start)
            longest = i;
    part_statistic(p, "step_time", s->length, fmin(spread.low, s->length),
                   fmax(spread.high, s->length), m->n_steps);
    part_value(p, "busy_time", busy);
    part_value(p, "gap_time", s->length - busy > NO_GAP_S ? s->length - busy : 0);
    part_value(p, "longest_kernel", longest + 1);
    if (s->length > 0)
        part_value(p, "longest_share", (s->span[longest].end - s->span[longest].start) / s->length);
    add_kernels(m, s, p);
    if (m->hosted)
        add_calls(m, s, p);
}

static int add_notes(struct measuring *m, const struct err *why, struct msg_part *p,
                     struct err *err)
{
    double floor = 0;
    int rc = m->activity ? 0 : bench_floor(m->bench, m->task, false, &floor, err);
    part_note(p, "cold");
    if (m->hosted)
        part_note(p, "from the host's first step until nothing runs");
    part_note(p, "the median of %d steps", m->n_steps);
    if (m->activity)
        part_note(p, "by CUPTI");
    else
        part_note(p, "by events: each kernel is charged with about %.1f us of launch gap (%.300s)",
                  floor * 1e6, why->text);
    if (m->disturbed)
        part_note(p, "launch overhead got into %d of them", m->disturbed);
    return rc;
}

/* What CUPTI could not do is done by events; what a kernel did ends the request. */
static bool cupti_refusal(const struct measuring *m, int rc)
{
    return m->activity && !m->task->gpu->lost &&
           (rc == ERR_PERMISSION || rc == ERR_UNSUPPORTED || rc == ERR_BUSY || rc == ERR_INTERNAL);
}

/* Events know nothing of the host's clock. */
static int refuse_hosted(struct task *t, const struct err *why, struct msg_part *p)
{
    static const char *const names[] = {"step_time", "busy_time", "gap_time", "api_time",
                                        "longest_gap"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        part_missing(p, names[i],
                     "unsupported: the host's steps and its kernels share no clock without CUPTI "
                     "(%.300s)",
                     why->text);
    task_refuse(t, why);
    return 0;
}

static int measure_steps(struct timeline *tl, struct measuring *m, struct msg_part *p,
                         struct err *err)
{
    struct err why = {.code = 0};
    int rc = 0;
    m->activity = timeline_activity(tl, &why);
    if (m->hosted && !m->activity)
        return refuse_hosted(m->task, &why, p);
    if (m->activity)
        rc = by_records(m, &why);
    if (m->hosted && cupti_refusal(m, rc))
        return refuse_hosted(m->task, &why, p);
    if (!m->activity || cupti_refusal(m, rc))
        rc = by_events(m, err);
    else if (rc)
        return err_copy(err, &why);
    if (!rc && !(rc = add_notes(m, &why, p, err)))
        add_metrics(m, p);
    return rc;
}

int timeline_measure(struct timeline *tl, struct task *task, struct bench *b, struct buffers *base,
                     const struct msg_item *item, const char *run, struct err *err)
{
    struct measuring *m = mem_new(1, sizeof *m);
    *m = (struct measuring){.task = task, .bench = b, .buffers = base,
                            .run = msg_run_find(msg_shape_of(task->measure, item->variant), run)};
    int rc = plan_new(&m->plan, task, item->variant, run, base, err);
    if (!rc && m->run->n_steps)
        rc = hosted_new(&m->hosted, task, m->run, &m->plan, base, err);
    if (!rc) {
        struct msg_part *p = task_part_new(task, PROBE_TIMELINE, run, item->variant);
        bench_forget_persisting(b);
        rc = measure_steps(tl, m, p, err);
        if (rc)
            task_part_free(p);
        else
            rc = task_part_send(task, p, err);
        free_marks(m);
    }
    hosted_free(m->hosted);
    plan_free(&m->plan);
    free(m);
    return rc;
}
