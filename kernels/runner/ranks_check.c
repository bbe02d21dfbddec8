#include "kernels/runner/ranks_check.h"

#include <stdio.h>

#include "kernels/runner/check.h"
#include "kernels/runner/results.h"

/* What one GPU's outputs are, after a run. */
struct verdict {
    struct findings found;
    uint64_t broken;
    int changed;
};

struct ranks_check {
    struct task *task;
    struct ranks *ranks;
    const struct msg_item *item;
    const struct msg_shape *shape;
    struct results results[CAP_RANKS];
    struct verdict verdict[CAP_RANKS];
    struct spread spread[CAP_RANKS];
    uint64_t beyond[CAP_RANKS];
};

/* ---- on each GPU in turn ---- */

static int open_results(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    c->results[at].task = &k->task; /* for its end, however early */
    return results_open(&c->results[at], &k->task, c->item, k->buffers, err);
}

static int close_results(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    (void)k, (void)err;
    if (c->results[at].task)
        results_close(&c->results[at]);
    return 0;
}

/* Inputs are as they were filled, which their hash remembers. */
static int mend(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    int before = 0, rc = buffers_mend(k->buffers, err);
    return rc ? rc : results_inputs_changed(&c->results[at], &before, err);
}

static int judge(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    struct verdict *v = &c->verdict[at];
    int rc;
    *v = (struct verdict){.broken = 0};
    if ((rc = buffers_canaries(k->buffers, &v->broken, err)) ||
        (rc = results_compare(&c->results[at], &v->found, err)))
        return rc;
    return results_inputs_changed(&c->results[at], &v->changed, err);
}

static int keep(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    (void)k;
    return results_keep(&c->results[at], err);
}

static int spread(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_check *c = arg;
    (void)k;
    c->beyond[at] = 0;
    int rc = results_spread(&c->results[at], &c->spread[at], err);
    return rc || !c->spread[at].differing ? rc
                                          : results_beyond(&c->results[at], &c->beyond[at], err);
}

/* ---- check ---- */

static int make_truth(struct ranks_check *c, struct err *err)
{
    struct buffers *truth[CAP_RANKS] = {NULL};
    struct ranks_run *run = NULL;
    int rc = ranks_truth(c->ranks, c->shape, truth, err);
    for (int i = 0; i < ranks_count(c->ranks); i++)
        c->results[i].truth = truth[i];
    if (!rc)
        rc = ranks_run_new(&run, c->ranks, c->item->variant, c->item->against, truth, 0, err);
    ranks_run_free(run);
    return rc;
}

static int worst_of(const struct ranks_check *c)
{
    int worst = 0;
    for (int i = 1; i < ranks_count(c->ranks); i++) {
        const struct verdict *v = &c->verdict[i], *w = &c->verdict[worst];
        bool more = v->found.wrong > w->found.wrong;
        bool as_many = v->found.wrong == w->found.wrong;
        if (more ||
            (as_many && v->broken + (uint64_t)v->changed > w->broken + (uint64_t)w->changed))
            worst = i;
    }
    return worst;
}

static int tell(struct ranks_check *c, struct msg_part *p, struct err *err)
{
    int worst = worst_of(c), rc;
    const struct verdict *v = &c->verdict[worst];
    check_tell(p, &v->found, v->broken, v->changed);
    part_note(p, "of GPU %d, the worst of %d", worst, ranks_count(c->ranks));
    if (!v->found.wrong)
        return 0;
    if (!(rc = gpu_turn_to(ranks_at(c->ranks, worst)->task.gpu, err)))
        rc = results_list_wrong(&c->results[worst], p, err);
    return rc ? rc : gpu_turn_to(c->task->gpu, err);
}

/* Two runs from zeros, as check.c does. */
static int run_twice(struct ranks_check *c, const char *id, struct err *err)
{
    struct ranks_run *run = NULL;
    int rc = ranks_run_new(&run, c->ranks, c->item->variant, id, NULL, 0, err);
    for (int i = 0; i < 2 && !rc; i++)
        if (!(rc = ranks_settle(c->ranks, POISON_ZEROS, false, err)))
            rc = ranks_run_step(run, NULL, NULL, err);
    ranks_run_free(run);
    return rc;
}

static int check_run(struct ranks_check *c, const char *id, struct msg_part *p, struct err *err)
{
    int rc;
    if ((rc = ranks_each(c->ranks, mend, c, err)) || (rc = run_twice(c, id, err)) ||
        (rc = ranks_each(c->ranks, judge, c, err)) || (rc = tell(c, p, err)))
        return rc;
    return ranks_each(c->ranks, mend, c, err); /* for the items after this one */
}

static int check_reference(struct ranks_check *c, const char *id, struct msg_part *p,
                           struct err *err)
{
    (void)id;
    return check_the_check(&c->results[0], p, err);
}

/* ---- repeat ---- */

struct tally {
    int identical;
    uint64_t ulp, nan, beyond;
};

static void count(const struct ranks_check *c, struct tally *t)
{
    uint64_t differing = 0;
    for (int i = 0; i < ranks_count(c->ranks); i++) {
        const struct spread *s = &c->spread[i];
        differing += s->differing;
        t->ulp = s->ulp > t->ulp ? s->ulp : t->ulp;
        t->nan = s->nan > t->nan ? s->nan : t->nan;
        t->beyond = c->beyond[i] > t->beyond ? c->beyond[i] : t->beyond;
    }
    t->identical += differing == 0;
}

static int run_many(struct ranks_check *c, struct ranks_run *run, struct tally *t, struct err *err)
{
    int rc = 0, n = c->item->repeat;
    for (int i = 0; i < n && !rc; i++) {
        task_progress(c->task, "repeat", i, n, "launch %d of %d", i + 1, n);
        if ((rc = ranks_settle(c->ranks, POISON_NAN, i % 2 == 0, err)) ||
            (rc = ranks_run_step(run, NULL, NULL, err)) ||
            (i == 0 && (rc = ranks_each(c->ranks, keep, c, err))) ||
            (rc = ranks_each(c->ranks, spread, c, err)))
            return rc;
        count(c, t);
    }
    return rc;
}

static int repeat_run(struct ranks_check *c, const char *id, struct msg_part *p, struct err *err)
{
    struct ranks_run *run = NULL;
    struct tally t = {.identical = 0};
    int rc;
    if (!(rc = ranks_each(c->ranks, mend, c, err)) &&
        !(rc = ranks_run_new(&run, c->ranks, c->item->variant, id, NULL, 0, err)))
        rc = run_many(c, run, &t, err);
    ranks_run_free(run);
    if (rc)
        return rc;
    part_value(p, "repeats", c->item->repeat);
    part_value(p, "identical_repeats", t.identical);
    part_value(p, "ulp_spread", (double)t.ulp);
    part_note(p, "on %d GPUs", ranks_count(c->ranks));
    part_note(p, "verdict: %s",
              t.identical == c->item->repeat ? "identical"
              : t.beyond || t.nan            ? "differing beyond the tolerance"
                                             : "differing within the tolerance");
    return ranks_each(c->ranks, mend, c, err);
}

/* ---- an item ---- */

typedef int (*ranks_step)(struct ranks_check *c, const char *id, struct msg_part *p,
                          struct err *err);

static int send_step(struct ranks_check *c, const char *id, ranks_step step, struct err *err)
{
    struct msg_part *p = task_part_new(c->task, c->item->probe, id, c->item->variant);
    snprintf(c->task->where, sizeof c->task->where, "%s of %s", wire_probe_name(c->item->probe),
             id);
    int rc = step(c, id, p, err);
    if (rc) {
        task_part_free(p);
        return rc;
    }
    return task_part_send(c->task, p, err);
}

static int measure(struct task *t, const struct msg_item *item, ranks_step step, struct err *err)
{
    struct ranks_check c = {.task = t,
                            .ranks = t->ranks,
                            .item = item,
                            .shape = msg_shape_of(t->measure, item->variant)};
    int rc = ranks_each(c.ranks, open_results, &c, err);
    if (!rc && *item->against && !(rc = make_truth(&c, err)))
        rc = send_step(&c, item->against, check_reference, err);
    for (int i = 0; i < item->n_runs && !rc; i++)
        rc = send_step(&c, item->runs[i], step, err);
    if (!t->gpu->lost)
        ranks_each(c.ranks, close_results, &c, NULL);
    return rc;
}

int ranks_check_measure(struct task *t, const struct msg_item *item, struct err *err)
{
    return measure(t, item, check_run, err);
}

int ranks_repeat_measure(struct task *t, const struct msg_item *item, struct err *err)
{
    return measure(t, item, repeat_run, err);
}
