#include "kernels/runner/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/plan.h"
#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { MAX_BATCH = 64, MAX_QUEUED = 256, RESERVE_MS = 500, COOL_MS = 30, FEW_DISCARDS = 3 };
#define BUDGET_S 2.0         /* GPU time of the samples */
#define BUDGET_WALL_MS 6000
#define FLOORS 20.0          /* a sample lasts at least so many event floors */
#define SLOW_CLOCK 0.75      /* of the rated clock: such a sample was throttled */
#define CYCLES_FROM_S 50e-6  /* below, the microsecond steps of some GPUs' timers blur the clock */
#define TOO_FAST 1.25        /* times the peak of DRAM: no time can be that short */

struct subject {
    const char *id;
    struct plan *plans;      /* one for each set of buffers */
    double seconds[STATS_MAX_ROUNDS], clocks[STATS_MAX_ROUNDS];
};

struct timing {
    struct task *task;
    struct bench *bench;
    const struct msg_item *item;
    const struct msg_shape *shape;
    struct buffers *sets[MAX_BATCH];
    int n_sets, batch;       /* batch: calls between the events */
    struct subject subject[2];
    int n_subjects, rounds, discarded;
    bool throttled;
    double gpu_seconds;
};

struct batch { struct timing *t; struct subject *s; };

static int enqueue_batch(void *arg, struct err *err)
{
    struct batch *b = arg;
    int rc = 0;
    for (int i = 0; i < b->t->batch && !rc; i++) {
        struct plan *p = &b->s->plans[i % b->t->n_sets];
        rc = plan_enqueue(p, b->t->task->gpu, 0, p->n, err);
    }
    return rc;
}

static int prepare_caches(struct timing *t, struct batch *b, struct err *err)
{
    int rc = 0;
    if (t->item->cache == CACHE_COLD)
        return bench_flush(t->bench, err);
    rc = enqueue_batch(b, err);
    for (int i = 0; i < t->n_sets && !rc; i++)
        rc = buffers_refill(t->sets[i], err);
    return rc;
}

static int sample_subject(struct timing *t, struct subject *s, struct sample *out, struct err *err)
{
    struct batch b = {t, s};
    int rc = 0;
    for (int i = 0; i < t->n_sets && !rc; i++)
        rc = buffers_restore(t->sets[i], POISON_NAN, err);
    if (rc || (rc = prepare_caches(t, &b, err)) ||
        (rc = bench_sample(t->bench, t->task, enqueue_batch, &b, out, err)))
        return rc;
    t->gpu_seconds += out->seconds;
    out->seconds /= t->batch;
    return 0;
}

static int bind_set(struct timing *t, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < t->n_subjects && !rc; i++) {
        struct subject *s = &t->subject[i];
        s->plans = mem_grow(s->plans, (size_t)t->n_sets + 1, sizeof *s->plans);
        s->plans[t->n_sets] = (struct plan){.n = 0};
        rc = plan_new(&s->plans[t->n_sets], t->task, t->item->variant, s->id, t->sets[t->n_sets], err);
    }
    t->n_sets++;
    return rc;
}

/* More buffer sets, so that the calls of a batch do not find each other's data in L2. One that does
 * not fit in memory is done without. */
static int add_sets(struct timing *t, struct err *err)
{
    uint64_t footprint = buffers_footprint(t->sets[0]) + 1;
    uint64_t wanted = t->item->cache == CACHE_WARM ? 1 : 2 * t->task->gpu->facts.l2_bytes / footprint + 2;
    int rc = 0;
    while (!rc && t->n_sets < t->batch && (uint64_t)t->n_sets < wanted) {
        rc = buffers_new(&t->sets[t->n_sets], t->task->gpu, t->shape, t->task->measure->seed, false, err);
        if (rc == ERR_TOO_LARGE || rc == ERR_MEMORY)
            return 0;
        rc = rc ? rc : bind_set(t, err);
    }
    return rc;
}

/* Every kernel runs once before anything is timed; then one sample each tells whether to batch. */
static int choose_batch(struct timing *t, struct err *err)
{
    double floor_s = 0, shortest = INFINITY;
    int rc = bench_floor(t->bench, t->task, false, &floor_s, err), launches = 1;
    struct sample s;
    for (int i = 0; i < 2 * t->n_subjects && !rc; i++) {
        rc = sample_subject(t, &t->subject[i / 2], &s, err);
        if (i % 2 && s.seconds < shortest)
            shortest = s.seconds;
    }
    if (rc || shortest >= FLOORS * floor_s)
        return rc;
    for (int i = 0; i < t->n_subjects; i++)
        launches = t->subject[i].plans[0].n > launches ? t->subject[i].plans[0].n : launches;
    double k = ceil(FLOORS * floor_s / fmax(shortest, floor_s / 4));
    t->batch = (int)fmin(k, fmin(MAX_BATCH, MAX_QUEUED / launches));
    t->batch = t->batch < 1 ? 1 : t->batch;
    return add_sets(t, err);
}

static bool slow_clock(const struct timing *t, const struct sample *s)
{
    return s->clock_hz > 0 && s->clock_hz < SLOW_CLOCK * t->task->gpu->facts.clock_hz;
}

/* One round: each subject once, in alternating order. A throttled or disturbed round is dropped while
 * no more than a fifth are, and the GPU gets a pause. */
static int one_round(struct timing *t, struct err *err)
{
    struct sample s[2];
    bool bad = false, slow = false;
    int rc = 0, most = t->rounds / 4 > FEW_DISCARDS ? t->rounds / 4 : FEW_DISCARDS;
    for (int k = 0; k < t->n_subjects && !rc; k++) {
        int i = t->rounds % 2 ? t->n_subjects - 1 - k : k;
        rc = sample_subject(t, &t->subject[i], &s[i], err);
        slow = slow || (!rc && slow_clock(t, &s[i]));
        bad = bad || slow || (!rc && !s[i].valid);
    }
    if (rc)
        return rc;
    if (bad && t->discarded < most) {
        struct timespec pause = {0, COOL_MS * 1000000L};
        t->discarded++;
        nanosleep(&pause, NULL);
        return 0;
    }
    t->throttled = t->throttled || slow;
    for (int i = 0; i < t->n_subjects; i++) {
        t->subject[i].seconds[t->rounds] = s[i].seconds;
        t->subject[i].clocks[t->rounds] = s[i].clock_hz;
    }
    t->rounds++;
    return 0;
}

/* a/b of each round, in seconds or in cycles. */
static struct interval ratio_interval(const struct timing *t, bool cycles)
{
    double ratios[STATS_MAX_ROUNDS];
    const struct subject *a = &t->subject[0], *b = &t->subject[1];
    int n = 0;
    for (int i = 0; i < t->rounds; i++) {
        double x = a->seconds[i] / b->seconds[i];
        if (cycles && (a->clocks[i] <= 0 || b->clocks[i] <= 0))
            continue;
        ratios[n++] = cycles ? x * a->clocks[i] / b->clocks[i] : x;
    }
    return stats_interval(ratios, n);
}

static struct interval deciding_interval(const struct timing *t)
{
    return t->n_subjects == 2 ? ratio_interval(t, false) : stats_interval(t->subject[0].seconds, t->rounds);
}

static void tell(struct timing *t, const struct interval *i)
{
    if (t->n_subjects == 2)
        task_progress(t->task, "timing", t->rounds, STATS_MAX_ROUNDS, "%d rounds, %s/%s between %.3g and %.3g", t->rounds,
                     t->subject[0].id, t->subject[1].id, i->low, i->high);
    else
        task_progress(t->task, "timing", t->rounds, STATS_MAX_ROUNDS, "%d rounds, between %.4g and %.4g ms", t->rounds,
                     i->low * 1e3, i->high * 1e3);
}

static int all_rounds(struct timing *t, struct err *err)
{
    int64_t stop = os_monotonic_ms() + BUDGET_WALL_MS, last = t->task->until - RESERVE_MS;
    int rc = 0;
    stop = stop < last ? stop : last;
    t->gpu_seconds = 0;
    while (t->rounds < STATS_MAX_ROUNDS && t->gpu_seconds < BUDGET_S) {
        if ((rc = one_round(t, err)))
            return rc;
        struct interval i = deciding_interval(t);
        tell(t, &i);
        if (stats_due(t->rounds) && stats_settled(&i, t->n_subjects == 2))
            break;
        if (t->rounds > 0 && os_monotonic_ms() >= stop)
            break;
    }
    return 0;
}

/* Shortest time that physics allows, or 0 where caches could hold the data. */
static double shortest_possible(const struct timing *t)
{
    const struct gpu_facts *f = &t->task->gpu->facts;
    if (buffers_footprint(t->sets[0]) < 4 * f->l2_bytes || f->dram_peak <= 0)
        return 0;
    return t->shape->work.bytes / (TOO_FAST * f->dram_peak);
}

static void add_notes(struct timing *t, struct health *h, struct msg_part *p)
{
    part_note(p, "%s", t->item->cache == CACHE_COLD ? "cold" : "warm");
    if (t->batch > 1)
        part_note(p, "batched: %d calls", t->batch);
    if (t->throttled)
        part_note(p, "throttled");
    if (t->discarded)
        part_note(p, "discarded: %d", t->discarded);
    health_note_throttle(h, p);
}

static double median_clock(const struct subject *s, int rounds)
{
    double known[STATS_MAX_ROUNDS];
    int n = 0;
    for (int i = 0; i < rounds; i++)
        if (s->clocks[i] > 0)
            known[n++] = s->clocks[i];
    return stats_interval(known, n).median;
}

static int send_run(struct timing *t, struct health *h, const struct subject *s, struct err *err)
{
    struct interval i = stats_interval(s->seconds, t->rounds);
    struct msg_part *p = task_part_new(t->task, PROBE_TIMING, s->id, t->item->variant);
    double least = shortest_possible(t), clock = median_clock(s, t->rounds);
    if (i.median < least)
        part_missing(p, "time", "implausible: %.4g us would move %.4g bytes faster than memory can (%.4g us at %.2f times "
                     "its peak): the kernel does not do the work, or the declared bytes are wrong",
                     i.median * 1e6, t->shape->work.bytes, least * 1e6, TOO_FAST);
    else
        part_statistic(p, "time", i.median, i.low, i.high, i.n);
    if (clock > 0)
        part_value(p, "sm_clock", clock);
    else
        part_missing(p, "sm_clock", "unsupported: the clock probe saw no SM twice");
    add_notes(t, h, p);
    return task_part_send(t->task, p, err);
}

static int send_ratio(struct timing *t, struct health *h, struct err *err)
{
    char run[16];
    snprintf(run, sizeof run, "%.7s/%.7s", t->subject[0].id, t->subject[1].id);
    struct msg_part *p = task_part_new(t->task, PROBE_TIMING, run, t->item->variant);
    struct interval ratio = ratio_interval(t, false), cycles = ratio_interval(t, true);
    double shorter = fmin(stats_interval(t->subject[0].seconds, t->rounds).median,
                          stats_interval(t->subject[1].seconds, t->rounds).median);
    bool clocks_count = cycles.n == ratio.n && shorter * t->batch >= CYCLES_FROM_S;
    part_statistic(p, "ratio", ratio.median, ratio.low, ratio.high, ratio.n);
    part_note(p, "verdict: %s", stats_verdict_name(stats_verdict(&ratio, clocks_count ? &cycles : NULL)));
    add_notes(t, h, p);
    return task_part_send(t->task, p, err);
}

static int send_parts(struct timing *t, struct health *h, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < t->n_subjects && !rc; i++)
        rc = send_run(t, h, &t->subject[i], err);
    return rc || t->n_subjects < 2 ? rc : send_ratio(t, h, err);
}

static void release(struct timing *t)
{
    for (int i = 0; i < t->n_subjects; i++) {
        for (int k = 0; k < t->n_sets; k++)
            plan_free(&t->subject[i].plans[k]);
        free(t->subject[i].plans);
    }
    for (int k = 1; k < t->n_sets; k++) /* the first set is the caller's */
        buffers_free(t->sets[k]);
    free(t);
}

int timing_measure(struct task *task, struct bench *b, struct health *h, struct buffers *base, const struct msg_item *item,
                   struct err *err)
{
    struct timing *t = mem_new(1, sizeof *t);
    int rc;
    *t = (struct timing){.task = task, .bench = b, .item = item, .shape = msg_shape_of(task->measure, item->variant),
                         .sets = {base}, .batch = 1};
    for (int i = 0; i < item->n_runs && i < 2; i++)
        t->subject[t->n_subjects++].id = item->runs[i];
    if (!(rc = bind_set(t, err)) && !(rc = choose_batch(t, err)) && !(rc = all_rounds(t, err)))
        rc = send_parts(t, h, err);
    release(t);
    return rc;
}
