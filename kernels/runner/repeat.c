#include "kernels/runner/repeat.h"

#include <stdio.h>
#include <time.h>

#include "kernels/runner/plan.h"
#include "kernels/runner/results.h"
#include "kernels/wire/os.h"

enum { NOISE_NS = 100000, NOISE_BLOCKS_SM = 4, NOISE_THREADS = 64 };

struct repeat {
    struct task *task;
    struct bench *bench;
    const struct msg_item *item;
    struct buffers *work;
    struct results results;
    struct plan plan;
    struct msg_part *part;
    cu_stream beside;
    int identical, differing[2], launched[2]; /* [1]: beside the noise */
    struct spread worst;
    uint64_t beyond;
};

static bool with_noise(int launch)
{
    return launch & 2;
}

static int start_noise(struct repeat *r, int launch, struct err *err)
{
    struct gpu *g = r->task->gpu;
    unsigned seed = (unsigned)r->task->measure->seed + (unsigned)launch, most = NOISE_NS;
    struct gpu_place at = {.grid = NOISE_BLOCKS_SM * (unsigned)g->facts.sm_count,
                           .block = NOISE_THREADS,
                           .stream = r->beside};
    void *args[] = {&seed, &most};
    return gpu_launch_at(g, OWN_NOISE, &at, args, err);
}

/* It ends by itself; what it would disturb next must not begin before. */
static int end_noise(struct repeat *r, struct err *err)
{
    struct gpu *g = r->task->gpu;
    struct timespec nap = {0, NOISE_NS / 4};
    cu_result result;
    while ((result = g->cu.cuStreamQuery(r->beside)) == CU_NOT_READY &&
           os_monotonic_ms() < r->task->until)
        nanosleep(&nap, NULL);
    return result == CU_NOT_READY ? task_check(r->task, err)
                                  : gpu_check(g, result, "cuStreamQuery", err);
}

static int run_once(struct repeat *r, int launch, struct err *err)
{
    struct gpu *g = r->task->gpu;
    bool noise = with_noise(launch);
    int rc;
    if ((rc = buffers_restore(r->work, POISON_NAN, err)) ||
        (launch % 2 == 0 && (rc = bench_flush(r->bench, err))) || (rc = task_wait(r->task, err)) ||
        (noise && (rc = start_noise(r, launch, err))))
        return rc;
    if ((rc = plan_enqueue(&r->plan, g, 0, r->plan.n, err)) || (rc = task_wait(r->task, err)))
        return rc;
    return noise ? end_noise(r, err) : 0;
}

static void widen(struct spread *worst, const struct spread *s)
{
    worst->differing = s->differing > worst->differing ? s->differing : worst->differing;
    worst->ulp = s->ulp > worst->ulp ? s->ulp : worst->ulp;
    worst->nan = s->nan > worst->nan ? s->nan : worst->nan;
}

static int compare(struct repeat *r, int launch, struct err *err)
{
    struct spread s;
    uint64_t beyond = 0;
    char now[32];
    int rc = results_spread(&r->results, &s, err);
    r->launched[with_noise(launch)]++;
    if (rc || s.differing == 0) {
        r->identical += !rc;
        return rc;
    }
    r->differing[with_noise(launch)]++;
    widen(&r->worst, &s);
    if ((rc = results_beyond(&r->results, &beyond, err)))
        return rc;
    r->beyond = beyond > r->beyond ? beyond : r->beyond;
    snprintf(now, sizeof now, "in launch %d", launch + 1);
    return results_list_spread(&r->results, r->part, now, "in the first", err);
}

static int all_launches(struct repeat *r, struct err *err)
{
    int rc = run_once(r, 0, err);
    if (rc || (rc = results_keep(&r->results, err)))
        return rc;
    r->identical = 1;
    for (int i = 1; i < r->item->repeat && !rc; i++) {
        task_progress(r->task, "repeat", i, r->item->repeat, "launch %d of %d", i + 1,
                      r->item->repeat);
        if (!(rc = run_once(r, i, err)))
            rc = compare(r, i, err);
    }
    return rc;
}

static void add_findings(const struct repeat *r)
{
    struct msg_part *p = r->part;
    int n = r->item->repeat;
    part_value(p, "repeats", n);
    part_value(p, "identical_repeats", r->identical);
    part_value(p, "ulp_spread", (double)r->worst.ulp);
    if (r->worst.nan)
        part_note(p, "NaN in one launch, a number in another: %llu elements",
                  (unsigned long long)r->worst.nan);
    if (r->identical < n)
        part_note(p, "differing: %d of %d launches alone, %d of %d beside another kernel",
                  r->differing[0], r->launched[0], r->differing[1], r->launched[1]);
    part_note(p, "verdict: %s",
              r->identical == n           ? "identical"
              : r->beyond || r->worst.nan ? "differing beyond the tolerance"
                                          : "differing within the tolerance");
}

static int repeat_run(struct repeat *r, const char *run, struct err *err)
{
    struct gpu *g = r->task->gpu;
    int rc;
    if ((rc = results_open(&r->results, r->task, r->item, r->work, err)) ||
        (rc = plan_new(&r->plan, r->task, r->item->variant, run, r->work, err)) ||
        (rc = buffers_mend(r->work, err)) ||
        (rc = GPU(g, err, cuStreamCreate, &r->beside, CU_STREAM_NONBLOCKING)) ||
        (rc = all_launches(r, err)))
        return rc;
    add_findings(r);
    return buffers_mend(r->work,
                        err); /* a kernel that writes its inputs must not harm the next item */
}

int repeat_measure(struct task *t, struct bench *b, struct buffers *base,
                   const struct msg_item *item, const char *run, struct err *err)
{
    struct repeat r = {.task = t, .bench = b, .item = item, .work = base, .results = {.task = t}};
    r.part = task_part_new(t, PROBE_REPEAT, run, item->variant);
    int rc = repeat_run(&r, run, err);
    if (r.beside && !t->gpu->lost)
        GPU(t->gpu, NULL, cuStreamDestroy_v2, r.beside);
    plan_free(&r.plan);
    results_close(&r.results);
    if (!rc)
        return task_part_send(t, r.part, err);
    task_part_free(r.part);
    return rc;
}
