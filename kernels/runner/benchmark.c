#include "kernels/runner/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/hosted.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/results.h"
#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { RESERVE_MS = 500 }; /* for the comparison behind the program */
#define NS 1e-9

struct program {
    struct task *task;
    struct bench *bench;
    const struct msg_item *item;
    const struct msg_benchmark *is; /* of the run at hand: the runs', or the baseline's care */
    double baseline; /* s; 0: there is none */
    bool baseline_right;
    struct msg_shape shape; /* with the inputs that the program has */
    struct buffers *work;
    struct results results;
    const char *run;
    struct plan plan;
    bool loaded;
    cu_stream clock; /* of events, flush and waits; the runs are on the main stream */
    cu_event events[2];
    double sample[BENCHMARK_REPEAT_MOST]; /* seconds */
    int n;
};

/* ---- the steps ---- */

/* The first run loads the module where nothing has before. */
static int run_once(struct program *p, struct err *err)
{
    int rc = p->loaded ? 0
                       : plan_new(&p->plan, p->task, p->item->variant, p->run, p->work, err);
    p->loaded = !rc;
    return rc ? rc : plan_enqueue(&p->plan, p->task->gpu, 0, p->plan.n, err);
}

static int run_times(struct program *p, int times, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < times && !rc; i++)
        rc = run_once(p, err);
    return rc;
}

static int wait_for_clock(struct program *p, struct err *err)
{
    return GPU(p->task->gpu, err, cuStreamSynchronize, p->clock);
}

static int warm_up(struct program *p, struct err *err)
{
    int rc = run_times(p, p->is->warm_up, err);
    return rc || p->is->warm_up == 0 ? rc : GPU(p->task->gpu, err, cuCtxSynchronize);
}

static void idle(int us)
{
    struct timespec nap = {us / 1000000, us % 1000000 * 1000L};
    if (us > 0)
        nanosleep(&nap, NULL);
}

/* Before a sample. Events are ordered behind a flush, the host's clock is not. */
static int flush_before(struct program *p, struct err *err)
{
    int rc = bench_flush_on(p->bench, p->clock, err);
    return rc || p->is->clock == CLOCK_EVENTS ? rc : wait_for_clock(p, err);
}

/* What stands between the clock's start and its stop. */
static int timed_steps(struct program *p, struct err *err)
{
    int rc = p->is->flush == FLUSH_INSIDE ? bench_flush_on(p->bench, p->clock, err) : 0;
    return rc ? rc : run_times(p, p->is->launches, err);
}

static int sample_by_host(struct program *p, double *seconds, struct err *err)
{
    uint64_t from = hosted_now();
    int rc = timed_steps(p, err);
    if (!rc && p->is->synchronise == SYNCHRONISE_EACH)
        rc = wait_for_clock(p, err);
    *seconds = (double)(hosted_now() - from) * NS;
    return rc;
}

static int sample_by_events(struct program *p, double *seconds, struct err *err)
{
    struct gpu *g = p->task->gpu;
    float ms = 0;
    int rc;
    if ((rc = GPU(g, err, cuEventRecord, p->events[0], p->clock)) || (rc = timed_steps(p, err)) ||
        (rc = GPU(g, err, cuEventRecord, p->events[1], p->clock)) ||
        (rc = wait_for_clock(p, err)))
        return rc;
    rc = GPU(g, err, cuEventElapsedTime, &ms, p->events[0], p->events[1]);
    *seconds = ms * 1e-3;
    return rc;
}

static int take_sample(struct program *p, struct err *err)
{
    double *seconds = &p->sample[p->n];
    int rc = 0;
    idle(p->is->idle);
    if (p->is->flush == FLUSH_BEFORE)
        rc = flush_before(p, err);
    if (rc || (rc = p->is->clock == CLOCK_HOST ? sample_by_host(p, seconds, err)
                                               : sample_by_events(p, seconds, err)))
        return rc;
    *seconds /= p->is->launches;
    p->n++;
    return 0;
}

static int all_samples(struct program *p, struct err *err)
{
    int rc = warm_up(p, err);
    while (!rc && p->n < p->is->repeat && !(rc = task_check(p->task, err))) {
        task_progress(p->task, "benchmark", p->n, p->is->repeat, "sample %d of %d", p->n + 1,
                      p->is->repeat);
        rc = take_sample(p, err);
    }
    return rc;
}

/* What escaped the program's waits ends before anything is read or freed. */
static int drain(struct program *p, struct err *err)
{
    int rc = gpu_wait_stream(p->task->gpu, p->clock, p->task->until, err);
    return rc ? rc : task_wait(p->task, err);
}

static int execute(struct program *p, struct err *err)
{
    struct gpu *g = p->task->gpu;
    int rc = all_samples(p, err);
    int drained = g->lost ? 0 : drain(p, rc ? NULL : err);
    return rc ? rc : drained;
}

/* ---- before the program ---- */

static int64_t runs_of(const struct msg_benchmark *b)
{
    return b->warm_up + (int64_t)b->repeat * b->launches;
}

static int check_time(const struct program *p, double seconds, struct err *err)
{
    double left = (double)(p->task->until - os_monotonic_ms() - RESERVE_MS) * 1e-3;
    double idles = (double)p->is->repeat * p->is->idle * 1e-6;
    double needed = (double)runs_of(p->is) * seconds + idles;
    return needed <= left
               ? 0
               : err_set(err, ERR_TOO_LARGE,
                         "the benchmark needs about %.3g s (%lld runs of %.3g ms, %.3g s idle), "
                         "and %.3g s are left before the deadline",
                         needed, (long long)runs_of(p->is), seconds * 1e3, idles, fmax(left, 0));
}

/* The first run tells what faults or never ends; the second, how long one takes. */
static int rehearse(struct program *p, struct err *err)
{
    int rc;
    if ((rc = run_once(p, err)) || (rc = task_wait(p->task, err)))
        return rc;
    uint64_t from = hosted_now();
    if ((rc = run_once(p, err)) || (rc = GPU(p->task->gpu, err, cuCtxSynchronize)))
        return rc;
    return check_time(p, (double)(hosted_now() - from) * NS, err);
}

static void unload(struct program *p)
{
    plan_free(&p->plan);
    images_unload(p->task->images);
    p->loaded = false;
}

static int prepare(struct program *p, struct err *err)
{
    int rc;
    bench_forget_persisting(p->bench);
    if ((rc = buffers_mend(p->work, err)) || (rc = buffers_restore(p->work, POISON_NAN, err)) ||
        (rc = rehearse(p, err)) || (rc = buffers_mend(p->work, err)) ||
        (rc = buffers_restore(p->work, POISON_NAN, err)) || (rc = task_wait(p->task, err)))
        return rc;
    if (p->is->load == LOAD_INSIDE)
        unload(p);
    return 0;
}

/* ---- behind it ---- */

struct summary { double median, mean, spread, min, max, p95; };

static struct summary summarise(const double *sample, int n)
{
    double sorted[BENCHMARK_REPEAT_MOST], sum = 0, squares = 0;
    memcpy(sorted, sample, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, stats_ascending);
    for (int i = 0; i < n; i++)
        sum += sorted[i];
    double mean = sum / n;
    for (int i = 0; i < n; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    return (struct summary){.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2,
                            .mean = mean,
                            .spread = mean > 0 ? sqrt(squares / n) / mean : 0,
                            .min = sorted[0],
                            .max = sorted[n - 1],
                            .p95 = sorted[(95 * n + 99) / 100 - 1]};
}

static double reduced(const struct summary *s, enum benchmark_reduce how)
{
    switch (how) {
    case REDUCE_MEAN: return s->mean;
    case REDUCE_MIN: return s->min;
    case REDUCE_MAX: return s->max;
    case REDUCE_MEDIAN: break;
    }
    return s->median;
}

static void add_samples(const struct program *p, struct msg_part *part)
{
    struct summary s = summarise(p->sample, p->n);
    double time = reduced(&s, p->is->reduce);
    part_value(part, "reported_time", time);
    if (p->baseline > 0 && time > 0) {
        part_value(part, "speed_up", p->baseline / time);
        part_value(part, "baseline_time", p->baseline);
        part_note(part, "baseline: %s", p->baseline_right ? "right" : "wrong");
    }
    part_value(part, "sample_first", p->sample[0]);
    part_value(part, "sample_min", s.min);
    part_value(part, "sample_median", s.median);
    part_value(part, "sample_p95", s.p95);
    part_value(part, "sample_max", s.max);
    part_value(part, "sample_spread", s.spread);
    memcpy(part_series(part, "sample", p->n), p->sample, (size_t)p->n * sizeof *p->sample);
}

/* In/out buffers go from run to run: then the truth, which is of one run, is another. */
static bool is_comparable(const struct program *p)
{
    bool carries = false;
    for (int i = 0; i < p->shape.n_buffers; i++)
        carries = carries || p->shape.buffers[i].role == ROLE_INOUT;
    return !carries || runs_of(p->is) == 1;
}

static int compare(struct program *p, struct msg_part *part, struct err *err)
{
    struct findings f = {.wrong = 0};
    int rc = is_comparable(p) ? results_compare(&p->results, &f, err) : 0;
    if (!is_comparable(p))
        part_note(part, "not compared: in/out buffers went through %lld runs",
                  (long long)runs_of(p->is));
    if (rc || !is_comparable(p))
        return rc;
    part_value(part, "wrong_elements", (double)f.wrong);
    part_value(part, "compared_elements", (double)f.compared);
    part_note(part, "verdict: %s", f.wrong ? "wrong" : "right");
    return 0;
}

static int tell(struct program *p, struct err *err)
{
    struct msg_part *part =
        task_part_new(p->task, PROBE_BENCHMARK, p->run, p->item->variant);
    add_samples(p, part);
    int rc = compare(p, part, err);
    if (!rc)
        return task_part_send(p->task, part, err);
    task_part_free(part);
    return rc;
}

/* Its time alone, and whether it computes the same. */
static int keep_baseline(struct program *p, struct err *err)
{
    struct summary s = summarise(p->sample, p->n);
    struct findings f = {.wrong = 0};
    int rc = is_comparable(p) ? results_compare(&p->results, &f, err) : 0;
    p->baseline = reduced(&s, p->is->reduce);
    p->baseline_right = f.wrong == 0;
    return rc;
}

static int measure_by(struct program *p, const char *run, const struct msg_benchmark *is,
                      int (*end)(struct program *p, struct err *err), struct err *err)
{
    int rc;
    p->run = run;
    p->is = is;
    p->n = 0;
    snprintf(p->task->where, sizeof p->task->where, "benchmark of %s", run);
    if (!(rc = prepare(p, err)) && !(rc = execute(p, err)))
        rc = end(p, err);
    plan_free(&p->plan);
    p->loaded = false;
    return rc;
}

static int measure_run(struct program *p, const char *run, struct err *err)
{
    const struct msg_baseline *b = &p->item->baseline;
    int rc = *b->run ? measure_by(p, b->run, &b->care, keep_baseline, err) : 0;
    return rc ? rc : measure_by(p, run, &p->item->benchmark, tell, err);
}

/* ---- an item ---- */

static int open_clock(struct program *p, struct err *err)
{
    struct gpu *g = p->task->gpu;
    int rc = 0;
    if (p->is->stream == STREAM_SIDE)
        rc = GPU(g, err, cuStreamCreate, &p->clock, CU_STREAM_NONBLOCKING);
    for (int i = 0; i < 2 && !rc; i++)
        rc = GPU(g, err, cuEventCreate, &p->events[i], CU_EVENT_PLAIN);
    return rc;
}

static void close_clock(struct program *p)
{
    struct gpu *g = p->task->gpu;
    for (int i = 0; i < 2; i++)
        if (p->events[i] && !g->lost)
            GPU(g, NULL, cuEventDestroy_v2, p->events[i]);
    if (p->clock && p->clock != g->stream && !g->lost)
        GPU(g, NULL, cuStreamDestroy_v2, p->clock);
}

static int open_program(struct program *p, struct err *err)
{
    struct task *t = p->task;
    int rc;
    if ((rc = buffers_new(&p->work, t->gpu, &p->shape, t->measure->seed, false, err)) ||
        (rc = results_open(&p->results, t, p->item, p->work, err)))
        return rc;
    p->results.shape = &p->shape;
    return (rc = results_truth(&p->results, p->item, err)) ? rc : open_clock(p, err);
}

static void take_shape(struct program *p)
{
    const struct msg_shape *s = msg_shape_of(p->task->measure, p->item->variant);
    size_t bytes = (size_t)s->n_buffers * sizeof *s->buffers;
    p->shape = *s;
    p->shape.buffers = mem_new((size_t)s->n_buffers + 1, sizeof *s->buffers);
    memcpy(p->shape.buffers, s->buffers, bytes);
    for (int i = 0; i < s->n_buffers; i++)
        p->shape.buffers[i].fill = msg_benchmark_fill(p->is, &s->buffers[i]);
}

int benchmark_measure(struct task *t, struct bench *b, const struct msg_item *item,
                      struct err *err)
{
    struct program *p = mem_new(1, sizeof *p);
    *p = (struct program){.task = t,
                          .bench = b,
                          .item = item,
                          .is = &item->benchmark,
                          .results = {.task = t},
                          .clock = t->gpu->stream};
    take_shape(p);
    int rc = open_program(p, err);
    for (int i = 0; i < item->n_runs && !rc; i++)
        rc = measure_run(p, item->runs[i], err);
    close_clock(p);
    results_close(&p->results);
    buffers_free(p->work);
    free(p->shape.buffers);
    free(p);
    return rc;
}
