#include "kernels/runner/poison.h"

#include <stdlib.h>

#include "kernels/runner/plan.h"
#include "kernels/runner/results.h"

enum ruin { RUIN_ZEROS, RUIN_NAN, RUIN_RANDOM }; /* wd_ruin_shared's `how` */

/* The first is what the others are compared with. */
static const struct attempt {
    enum poison buffers;
    enum ruin shared;
    const char *with;
} attempts[] = {
    {POISON_ZEROS, RUIN_ZEROS, "from zeros"},
    {POISON_NAN, RUIN_ZEROS, "with NaN in the buffers"},
    {POISON_RANDOM, RUIN_ZEROS, "with random numbers in the buffers"},
    {POISON_ZEROS, RUIN_NAN, "with NaN in shared memory"},
    {POISON_ZEROS, RUIN_RANDOM, "with random numbers in shared memory"},
};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts, AGAIN = 2, CONFIRM = 3 };

/* What the attempts of one kind came to: elements of the worst run, and which lines of the part are
 * their examples, from this one on. */
struct tally { uint64_t differing, beyond, within; int lines_from; };

struct trial {
    struct task *task;
    const struct msg_item *item;
    struct buffers *work;
    struct results results;
    struct plan plan;
    struct msg_part *part;
    uint64_t wrong, broken;
    struct tally buffers, shared;
    bool wavers; /* the run from zeros does not repeat its own bits */
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int ruin_with(struct gpu *g, enum ruin how, unsigned blocks_sm, unsigned threads,
                     unsigned bytes, struct err *err)
{
    unsigned words = bytes / 4;
    int kind = (int)how;
    struct gpu_place at = {.grid = blocks_sm * (unsigned)g->facts.sm_count,
                           .block = threads,
                           .shared = bytes,
                           .stream = g->stream};
    void *args[] = {&words, &kind};
    return gpu_launch_at(g, OWN_RUIN_SHARED, &at, args, err);
}

/* All that one block can have, on every SM. Then once more in blocks of the launch's own shape, as
 * many as an SM holds: a driver that divides the SM's memory otherwise for them may put them
 * elsewhere. */
static int ruin_shared(struct trial *x, enum ruin how, int launch, struct err *err)
{
    struct gpu *g = x->task->gpu;
    const struct gpu_facts *f = &g->facts;
    struct plan_block b;
    int rc = plan_block(&x->plan, g, launch, &b, err);
    if (rc || (rc = ruin_with(g, how, 2, 256, (unsigned)f->smem_block_optin / 4 * 4, err)) ||
        b.shared < 4)
        return rc;
    unsigned blocks = least((unsigned)f->smem_sm / (b.shared + (unsigned)f->smem_reserved),
                            (unsigned)f->blocks_sm);
    blocks = least(blocks, (unsigned)f->threads_sm / (b.threads ? b.threads : 1));
    return ruin_with(g, how, blocks ? blocks : 1, b.threads, b.shared / 4 * 4, err);
}

static int run_once(struct trial *x, const struct attempt *a, struct err *err)
{
    struct gpu *g = x->task->gpu;
    struct findings f = {.wrong = 0};
    uint64_t broken = 0;
    int rc = buffers_restore(x->work, a->buffers, err);
    for (int i = 0; i < x->plan.n && !rc; i++)
        if (!(rc = ruin_shared(x, a->shared, i, err)))
            rc = plan_enqueue(&x->plan, g, i, i + 1, err);
    if (rc || (rc = task_wait(x->task, err)) || (rc = buffers_canaries(x->work, &broken, err)) ||
        (rc = results_compare(&x->results, &f, err)))
        return rc;
    x->wrong = f.wrong > x->wrong ? f.wrong : x->wrong;
    x->broken = broken > x->broken ? broken : x->broken;
    return 0;
}

/* Runs an attempt and counts what differs from what is kept. */
static int differences(struct trial *x, const struct attempt *a, struct tally *out,
                       struct err *err)
{
    struct spread s;
    int rc = run_once(x, a, err);
    *out = (struct tally){.differing = 0};
    if (rc || (rc = results_spread(&x->results, &s, err)) || s.differing == 0)
        return rc;
    rc = results_beyond(&x->results, &out->beyond, err);
    out->within = x->wavers ? 0 : s.differing - out->beyond;
    out->differing = x->wavers ? out->beyond : s.differing;
    return rc;
}

static void forget_lines(struct msg_part *p, int from)
{
    while (p->n_lines > from)
        free(p->lines[--p->n_lines]);
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The first run that differs gives the examples, until one differs beyond the tolerance. */
static int one_attempt(struct trial *x, const struct attempt *a, struct err *err)
{
    struct tally *t = a->shared == RUIN_ZEROS ? &x->buffers : &x->shared, now;
    int rc = 0;
    for (int i = 0; i < AGAIN && !rc; i++) {
        if ((rc = differences(x, a, &now, err)))
            return rc;
        bool tells_more = now.beyond ? !t->beyond : now.differing && !t->differing;
        t->differing = most(now.differing, t->differing);
        t->beyond = most(now.beyond, t->beyond);
        t->within = most(now.within, t->within);
        if (!tells_more)
            continue;
        forget_lines(x->part, t->lines_from);
        rc = results_list_spread(&x->results, x->part, a->with, attempts[0].with, err);
    }
    return rc;
}

static int all_attempts(struct trial *x, struct err *err)
{
    int rc = 0;
    x->buffers = x->shared = (struct tally){.differing = 0};
    for (int i = 1; i < ATTEMPTS && !rc; i++) {
        if (attempts[i].shared != RUIN_ZEROS && attempts[i - 1].shared == RUIN_ZEROS)
            x->shared.lines_from = x->part->n_lines;
        task_progress(x->task, "poison", i, ATTEMPTS, "%s", attempts[i].with);
        rc = one_attempt(x, &attempts[i], err);
    }
    return rc;
}

/* Does the run from zeros repeat its bits? */
static int look_for_wavering(struct trial *x, int times, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < times && !rc && !x->wavers; i++) {
        struct tally now;
        rc = differences(x, &attempts[0], &now, err);
        x->wavers = now.differing > 0;
    }
    return rc;
}

static int try_all(struct trial *x, struct err *err)
{
    int rc;
    if ((rc = run_once(x, &attempts[0], err)) || (rc = results_keep(&x->results, err)) ||
        (rc = look_for_wavering(x, 1, err)) || (rc = all_attempts(x, err)))
        return rc;
    if (x->wavers || x->buffers.differing + x->shared.differing == 0)
        return 0;
    if ((rc = look_for_wavering(x, CONFIRM, err)) || !x->wavers)
        return rc;
    forget_lines(x->part, 0);
    return all_attempts(x, err);
}

/* Bits alone are no error of a sum, and yet its value hung on what memory held. */
static void add_within(const struct trial *x)
{
    uint64_t within = most(x->buffers.within, x->shared.within);
    if (within)
        part_note(x->part,
                  "within the tolerance: %llu of the elements that differ; beyond it: %llu",
                  (unsigned long long)within,
                  (unsigned long long)most(x->buffers.beyond, x->shared.beyond));
}

static void add_findings(struct trial *x, int changed)
{
    struct msg_part *p = x->part;
    uint64_t differing = x->buffers.differing + x->shared.differing;
    bool right = x->wrong + x->broken + differing == 0 && changed == 0;
    part_value(p, "poisoned_wrong", (double)x->wrong);
    part_value(p, "buffer_differences", (double)x->buffers.differing);
    part_value(p, "shared_differences", (double)x->shared.differing);
    part_value(p, "canaries_broken", (double)x->broken);
    part_value(p, "inputs_changed", changed);
    add_within(x);
    if (x->wavers)
        part_note(p, "differs from run to run by itself: see repeat");
    part_note(p, "verdict: %s", right ? "right" : "wrong");
}

static int try_run(struct trial *x, const char *id, struct err *err)
{
    struct gpu *g = x->task->gpu;
    int changed = 0, rc = plan_new(&x->plan, x->task, x->item->variant, id, x->work, err);
    if (rc)
        return rc;
    plan_prefer_shared(&x->plan, g, true);
    if (!(rc = buffers_mend(x->work, err)) &&
        !(rc = results_inputs_changed(&x->results, &changed, err)) && !(rc = try_all(x, err)) &&
        !(rc = results_inputs_changed(&x->results, &changed, err))) {
        add_findings(x, changed);
        rc = buffers_mend(x->work, err);
    }
    plan_prefer_shared(&x->plan, g, false);
    plan_free(&x->plan);
    return rc;
}

static int send_run(struct trial *x, const char *id, struct err *err)
{
    x->wrong = x->broken = 0;
    x->wavers = false;
    x->part = task_part_new(x->task, PROBE_POISON, id, x->item->variant);
    int rc = try_run(x, id, err);
    if (!rc)
        return task_part_send(x->task, x->part, err);
    task_part_free(x->part);
    return rc;
}

int poison_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                   struct err *err)
{
    struct trial x = {.task = t, .item = item, .work = base, .results = {.task = t}};
    int rc;
    GPU(t->gpu, NULL, cuFuncSetAttribute, t->gpu->own[OWN_RUIN_SHARED], CU_FUNC_CARVEOUT,
        100); /* a wish */
    if (!(rc = results_open(&x.results, t, item, base, err)))
        rc = results_kept_truth(&x.results, item, err);
    for (int i = 0; i < item->n_runs && !rc; i++)
        rc = send_run(&x, item->runs[i], err);
    if (!rc && !(rc = ruin_with(t->gpu, RUIN_ZEROS, 2, 256,
                                (unsigned)t->gpu->facts.smem_block_optin / 4 * 4, err)))
        rc = task_wait(t, err); /* what is measured next finds no poison of ours */
    results_close(&x.results);
    return rc;
}
