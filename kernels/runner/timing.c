#include "kernels/runner/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/hosted.h"
#include "kernels/runner/limits.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/ranks.h"
#include "kernels/runner/results.h"
#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    MAX_BATCH = 64,
    MAX_QUEUED = 256,
    RESERVE_MS = 500,
    COOL_MS = 30,
    FEW_DISCARDS = 3,
    KEPT_PER_DISCARD = 4,
    FEW_ROUNDS = 6
};
#define BUDGET_S 2.0         /* GPU time of the samples */
#define BUDGET_WALL_MS 6000
#define FLOORS 20.0          /* a sample lasts at least so many event floors */
#define SLOW_CLOCK 0.75      /* of the rated clock: such a sample was throttled */
#define CYCLES_FROM_S 50e-6  /* below, the microsecond steps of some GPUs' timers blur the clock */
#define AT_RATED 0.97        /* of the rated clock: nothing to say about it */

struct subject {
    const char *id;
    struct plan *plans;      /* one for each set of buffers */
    struct hosted *hosted;   /* NULL: it only launches, and events tell its time */
    struct ranks_run *ranked; /* on several GPUs, in the place of the two; else NULL */
    double seconds[STATS_MAX_ROUNDS], clocks[STATS_MAX_ROUNDS];
    struct findings found;   /* in the results of a launch like those that were timed */
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
    int slowed;              /* of the discarded: those at a slow clock */
    int disturbed;           /* kept although launch overhead got in */
    bool throttled;
    bool crowded;            /* the ballast does not fit */
    double gpu_seconds, floor; /* floor: an empty pair of events */
    uint64_t seed;           /* of the inputs, where each round has its own */
    struct health_look before, after;
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

static uint64_t set_seed(const struct timing *t, int set)
{
    return t->seed + ((uint64_t)set << 32);
}

/* Is what it times compared with the truth? Then no round may find anything of another's. */
static bool is_compared(const struct timing *t)
{
    return t->item->against[0] != '\0';
}

/* Each round and each set has inputs that no kernel has seen. */
static int draw_inputs(struct timing *t, struct err *err)
{
    int rc = 0;
    t->seed += is_compared(t);
    for (int i = 0; i < t->n_sets && is_compared(t) && !rc; i++)
        rc = buffers_reseed(t->sets[i], set_seed(t, i), err);
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

/* By the host's clock. That of the SMs is not told: a probe of it would be a launch of ours. */
static int sample_hosted(struct timing *t, struct subject *s, struct sample *out, struct err *err)
{
    int rc = task_wait(t->task, err);
    uint64_t from = hosted_now();
    rc = rc ? rc : hosted_step(s->hosted, NULL, err);
    *out = (struct sample){.seconds = (double)(hosted_now() - from) * 1e-9, .valid = true};
    return rc;
}

static int sample_ranked(struct timing *t, struct subject *s, struct sample *out, struct err *err)
{
    struct ranks *r = t->task->ranks;
    bool cold = t->item->cache == CACHE_COLD;
    int rc = ranks_settle(r, POISON_NAN, cold, err);
    *out = (struct sample){.valid = true};
    if (!rc && !cold && !(rc = ranks_run_step(s->ranked, NULL, NULL, err)))
        rc = ranks_refill(r, err);
    rc = rc ? rc : ranks_run_step(s->ranked, &out->seconds, NULL, err);
    t->gpu_seconds += out->seconds;
    return rc ? rc : task_check(t->task, err);
}

static int sample_subject(struct timing *t, struct subject *s, struct sample *out, struct err *err)
{
    struct batch b = {t, s};
    int rc = 0;
    if (s->ranked)
        return sample_ranked(t, s, out, err);
    for (int i = 0; i < t->n_sets && !rc; i++)
        rc = buffers_restore(t->sets[i], POISON_NAN, err);
    if (!rc && s->hosted && is_compared(t))
        rc = hosted_refresh(s->hosted, err);
    if (rc || (rc = prepare_caches(t, &b, err)) ||
        (rc = s->hosted ? sample_hosted(t, s, out, err)
                        : bench_sample(t->bench, t->task, enqueue_batch, &b, out, err)))
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
        rc = plan_new(&s->plans[t->n_sets], t->task, t->item->variant, s->id, t->sets[t->n_sets],
                      err);
        if (!rc && t->item->ballast &&
            (rc = plan_ballast(&s->plans[t->n_sets], t->task->gpu, t->item->ballast, err)))
            t->crowded = rc == ERR_LAUNCH;
    }
    t->n_sets++;
    return rc;
}

static uint64_t sets_wanted(const struct timing *t)
{
    uint64_t footprint = buffers_footprint(t->sets[0]) + 1;
    if (is_compared(t)) /* or a call would find its results already there */
        return (uint64_t)t->batch;
    return t->item->cache == CACHE_WARM ? 1 : 2 * t->task->gpu->facts.l2_bytes / footprint + 2;
}

/* More buffer sets, so that the calls of a batch do not find each other's data in L2. One that does
 * not fit in memory is done without. */
static int add_sets(struct timing *t, struct err *err)
{
    uint64_t wanted = sets_wanted(t);
    int rc = 0;
    while (!rc && t->n_sets < t->batch && (uint64_t)t->n_sets < wanted) {
        rc = buffers_new(&t->sets[t->n_sets], t->task->gpu, t->shape, t->task->measure->seed, false,
                         err);
        if (rc == ERR_TOO_LARGE || rc == ERR_MEMORY)
            return 0;
        rc = rc ? rc : bind_set(t, err);
    }
    return rc;
}

static int bind_ranked(struct timing *t, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < t->n_subjects && !rc; i++) {
        rc = ranks_run_new(&t->subject[i].ranked, t->task->ranks, t->item->variant,
                           t->subject[i].id, NULL, t->item->ballast, err);
        t->crowded = t->item->ballast && rc == ERR_LAUNCH;
    }
    return rc;
}

/* One clock for both of a pair: the host's, where one of them needs it. */
static bool is_hosted(const struct timing *t)
{
    bool hosted = t->task->ranks != NULL;
    for (int i = 0; i < t->n_subjects; i++)
        hosted = hosted || msg_run_find(t->shape, t->subject[i].id)->n_steps > 0;
    return hosted;
}

static int prepare_hosts(struct timing *t, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < t->n_subjects && is_hosted(t) && !t->task->ranks && !rc; i++) {
        struct subject *s = &t->subject[i];
        rc = hosted_new(&s->hosted, t->task, msg_run_find(t->shape, s->id), &s->plans[0],
                        t->sets[0], err);
    }
    return rc;
}

/* Every kernel runs once before anything is timed; then one sample each tells whether to batch. A
 * host's steps are not batched: users wait for each. */
static int choose_batch(struct timing *t, struct err *err)
{
    double shortest = INFINITY;
    int rc = bench_floor(t->bench, t->task, false, &t->floor, err), launches = 1;
    struct sample s;
    for (int i = 0; i < 2 * t->n_subjects && !rc; i++) {
        rc = sample_subject(t, &t->subject[i / 2], &s, err);
        if (i % 2 && s.seconds < shortest)
            shortest = s.seconds;
    }
    if (rc || is_hosted(t) || shortest >= FLOORS * t->floor)
        return rc;
    for (int i = 0; i < t->n_subjects; i++)
        launches = t->subject[i].plans[0].n > launches ? t->subject[i].plans[0].n : launches;
    double k = ceil(FLOORS * t->floor / fmax(shortest, t->floor / 4));
    t->batch = (int)fmin(k, fmin(MAX_BATCH, MAX_QUEUED / launches));
    t->batch = t->batch < 1 ? 1 : t->batch;
    return add_sets(t, err);
}

static bool slow_clock(const struct timing *t, const struct sample *s)
{
    return s->clock_hz > 0 && s->clock_hz < SLOW_CLOCK * t->task->gpu->facts.clock_hz;
}

static void keep_round(struct timing *t, const struct sample *s)
{
    bool disturbed = false;
    for (int i = 0; i < t->n_subjects; i++) {
        t->subject[i].seconds[t->rounds] = s[i].seconds;
        t->subject[i].clocks[t->rounds] = s[i].clock_hz;
        t->throttled = t->throttled || slow_clock(t, &s[i]);
        disturbed = disturbed || !s[i].valid;
    }
    t->disturbed += disturbed;
    t->rounds++;
}

/* One round: each subject once, in alternating order. A throttled or disturbed round is dropped
 * while no more than a fifth are (the first few may go before that share is known), and the GPU
 * gets a pause. */
static int one_round(struct timing *t, struct err *err)
{
    struct sample s[2];
    bool bad = false, slow = false;
    int rc = draw_inputs(t, err),
        most = t->rounds / KEPT_PER_DISCARD > FEW_DISCARDS ? t->rounds / KEPT_PER_DISCARD
                                                           : FEW_DISCARDS;
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
        t->slowed += slow;
        nanosleep(&pause, NULL);
        return 0;
    }
    keep_round(t, s);
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
    return t->n_subjects == 2 ? ratio_interval(t, false)
                              : stats_interval(t->subject[0].seconds, t->rounds);
}

static void tell(struct timing *t, const struct interval *i)
{
    if (t->n_subjects == 2)
        task_progress(t->task, "timing", t->rounds, STATS_MAX_ROUNDS,
                      "%d rounds, %s/%s between %.3g and %.3g", t->rounds, t->subject[0].id,
                      t->subject[1].id, i->low, i->high);
    else
        task_progress(t->task, "timing", t->rounds, STATS_MAX_ROUNDS,
                      "%d rounds, between %.4g and %.4g ms", t->rounds, i->low * 1e3,
                      i->high * 1e3);
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

/* ---- the results of what was timed ---- */

/* One more sample of each, which nothing tells from those before, and what it left. */
static int compare_with(struct timing *t, struct results *r, struct err *err)
{
    struct sample s;
    int rc = draw_inputs(t, err);
    r->seed = set_seed(t, 0);
    rc = rc ? rc : results_truth(r, t->item, err);
    for (int i = 0; i < t->n_subjects && !rc; i++)
        if (!(rc = sample_subject(t, &t->subject[i], &s, err)))
            rc = results_compare(r, &t->subject[i].found, err);
    return rc;
}

/* The inputs are the request's again behind it. */
static int compare_timed(struct timing *t, struct err *err)
{
    struct results r = {.task = t->task};
    int rc = 0;
    if (!is_compared(t))
        return 0;
    task_progress(t->task, "timing", t->rounds, t->rounds, "comparing what was timed");
    if (!(rc = results_open(&r, t->task, t->item, t->sets[0], err)))
        rc = compare_with(t, &r, err);
    results_close(&r);
    return rc ? rc : buffers_reseed(t->sets[0], t->task->measure->seed, err);
}

static double median_seconds(const struct timing *t, int subject)
{
    return stats_interval(t->subject[subject].seconds, t->rounds).median;
}

static bool may_write(const struct msg_buffer *b)
{
    return b->role != ROLE_INPUT;
}

/* Why a median cannot be true, or "": results that are wrong, less than physics allows, not even as
 * long as nothing. */
static void refute(const struct timing *t, int subject, char *why, size_t size)
{
    const struct findings *f = &t->subject[subject].found;
    double median = median_seconds(t, subject);
    struct limits_work w = {.bytes = t->shape->work.bytes,
                            .flops = t->shape->work.flops,
                            .footprint = (double)buffers_footprint(t->sets[0]),
                            .cold = t->item->cache == CACHE_COLD};
    if (f->wrong) {
        snprintf(why, size,
                 "%llu of %llu elements are wrong in a launch like those that were timed",
                 (unsigned long long)f->wrong, (unsigned long long)f->compared);
        return;
    }
    for (int i = 0; i < t->shape->n_buffers; i++)
        w.written += may_write(&t->shape->buffers[i]) ? (double)buffers_bytes(t->sets[0], i) : 0;
    double least = limits_shortest(&t->task->gpu->facts, &w, why, size);
    if (median < least)
        return;
    why[0] = '\0';
    if (median * t->batch < t->floor)
        snprintf(why, size, "two events with nothing between them are %.4g us apart",
                 t->floor * 1e6);
}

static void note_clock(const struct timing *t, double clock, struct msg_part *p)
{
    double rated = t->task->gpu->facts.clock_hz;
    if (clock > 0 && rated > 0 && clock < AT_RATED * rated)
        part_note(p, "clock: %.0f %% of the rated %.0f MHz", 100 * clock / rated, rated / 1e6);
}

static void add_notes(const struct timing *t, struct msg_part *p)
{
    part_note(p, "%s", t->item->cache == CACHE_COLD ? "cold" : "warm");
    if (t->item->ballast)
        part_note(p, "ballast: %u bytes of shared memory", (unsigned)t->item->ballast);
    if (t->batch > 1)
        part_note(p, "batched: %d calls", t->batch);
    if (t->throttled || t->slowed * KEPT_PER_DISCARD > t->rounds ||
        health_hampered(&t->before, &t->after))
        part_note(p, "throttled");
    if (t->discarded)
        part_note(p, "discarded: %d", t->discarded);
    if (t->disturbed)
        part_note(p, "disturbed: launch overhead is in %d of %d rounds", t->disturbed, t->rounds);
    if (t->rounds < FEW_ROUNDS)
        part_note(p, "few rounds: %d, so the interval is only their range", t->rounds);
    health_note(p, &t->before, &t->after);
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

static int send_run(struct timing *t, int subject, struct err *err)
{
    const struct subject *s = &t->subject[subject];
    struct interval i = stats_interval(s->seconds, t->rounds);
    struct msg_part *p = task_part_new(t->task, PROBE_TIMING, s->id, t->item->variant);
    double clock = median_clock(s, t->rounds);
    char why[200];
    refute(t, subject, why, sizeof why);
    if (*why) {
        part_missing(p, "time", "implausible: %.4g us was measured, but %s%s", i.median * 1e6, why,
                     s->found.wrong ? ""
                                    : ": the kernel does not do the work, or the declared work is "
                                      "wrong");
        part_note(p, s->found.wrong ? "wrong where it was timed" : "below the physical floor");
    } else {
        part_statistic(p, "time", i.median, i.low, i.high, i.n);
    }
    if (clock > 0)
        part_value(p, "sm_clock", clock);
    else
        part_missing(p, "sm_clock",
                     is_hosted(t) ? "unsupported: a probe of the clock would be one launch more"
                               : "unsupported: the clock probe saw no SM twice");
    note_clock(t, clock, p);
    if (s->ranked)
        part_note(p, "by the host's clock on %d GPUs, from when all have met until nothing runs",
                  ranks_count(t->task->ranks));
    else if (s->hosted)
        part_note(p, "by the host's clock, from its first step until nothing runs");
    add_notes(t, p);
    if (t->shape->registers) {
        const struct plan *plan = s->ranked ? ranks_run_plan(s->ranked, 0) : &s->plans[0];
        int rc = plan_tell_cap(plan, t->task->gpu, t->shape->registers, p, err);
        if (rc) {
            task_part_free(p);
            return rc;
        }
    }
    return task_part_send(t->task, p, err);
}

/* Instead of times: why there are none. */
static int send_crowded(struct timing *t, struct err *err)
{
    struct err why = *err;
    int rc = 0;
    for (int i = 0; i < t->n_subjects && !rc; i++) {
        struct msg_part *p =
            task_part_new(t->task, PROBE_TIMING, t->subject[i].id, t->item->variant);
        part_missing(p, "time", "launch: %s", why.text);
        rc = task_part_send(t->task, p, err);
    }
    return rc;
}

static void add_ratio(const struct timing *t, struct msg_part *p)
{
    struct interval ratio = ratio_interval(t, false), cycles = ratio_interval(t, true);
    double shorter = fmin(median_seconds(t, 0), median_seconds(t, 1));
    bool clocks_count = cycles.n == ratio.n && shorter * t->batch >= CYCLES_FROM_S;
    part_statistic(p, "ratio", ratio.median, ratio.low, ratio.high, ratio.n);
    part_note(p, "verdict: %s",
              stats_verdict_name(stats_verdict(&ratio, clocks_count ? &cycles : NULL)));
}

static int send_ratio(struct timing *t, struct err *err)
{
    char run[16], why[200];
    int subject = 0;
    snprintf(run, sizeof run, "%.7s/%.7s", t->subject[0].id, t->subject[1].id);
    struct msg_part *p = task_part_new(t->task, PROBE_TIMING, run, t->item->variant);
    refute(t, 0, why, sizeof why);
    if (!*why)
        refute(t, subject = 1, why, sizeof why);
    if (*why)
        part_missing(p, "ratio",
                     "implausible: the time of %s cannot be true, so it is compared with nothing",
                     t->subject[subject].id);
    else
        add_ratio(t, p);
    add_notes(t, p);
    return task_part_send(t->task, p, err);
}

static int send_parts(struct timing *t, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < t->n_subjects && !rc; i++)
        rc = send_run(t, i, err);
    return rc || t->n_subjects < 2 ? rc : send_ratio(t, err);
}

static void release(struct timing *t)
{
    for (int i = 0; i < t->n_subjects; i++) {
        hosted_free(t->subject[i].hosted);
        ranks_run_free(t->subject[i].ranked);
        for (int k = 0; k < t->n_sets; k++)
            plan_free(&t->subject[i].plans[k]);
        free(t->subject[i].plans);
    }
    for (int k = 1; k < t->n_sets; k++) /* the first set is the caller's */
        buffers_free(t->sets[k]);
    free(t);
}

int timing_measure(struct task *task, struct bench *b, struct health *h, struct buffers *base,
                   const struct msg_item *item, struct err *err)
{
    struct timing *t = mem_new(1, sizeof *t);
    int rc;
    *t = (struct timing){.task = task,
                         .bench = b,
                         .item = item,
                         .shape = msg_shape_of(task->measure, item->variant),
                         .sets = {base},
                         .seed = task->measure->seed,
                         .batch = 1};
    for (int i = 0; i < item->n_runs && i < 2; i++)
        t->subject[t->n_subjects++].id = item->runs[i];
    bench_forget_persisting(b);
    rc = task->ranks ? bind_ranked(t, err) : bind_set(t, err);
    if (!rc && !(rc = prepare_hosts(t, err)) && !(rc = choose_batch(t, err))) {
        health_look(h, &t->before);
        rc = all_rounds(t, err);
        health_look(h, &t->after);
        rc = rc ? rc : compare_timed(t, err);
    }
    if (!rc)
        rc = send_parts(t, err);
    else if (t->crowded)
        rc = send_crowded(t, err);
    release(t);
    return rc;
}
