#include "kernels/runner/check.h"

#include <math.h>
#include <stdio.h>

#include "kernels/runner/faults.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/results.h"
#include "kernels/wire/os.h"

/* A placement may keep a run from its end, which then must not cost the items behind it. */
enum { RISKY_MS = 20000 };

struct check {
    struct task *task;
    const struct msg_item *item;
    const struct msg_shape *shape;
    struct buffers *work;
    struct results results;
    int64_t limit; /* of the run at hand, ms on the monotonic clock */
};

bool check_is_risky(const struct msg_item *item)
{
    return item->probe == PROBE_CHECK && (item->offset || item->fence);
}

bool check_may_fail(const struct msg_item *item)
{
    return item->probe == PROBE_OUTCOME || check_is_risky(item);
}

/* ---- a run ---- */

/* Runs that may fail, from the one at hand to the request's last. */
static int risky_runs_left(const struct task *t)
{
    int n = t->measure->items[t->item].n_runs - t->runs_done;
    for (int i = t->item + 1; i < t->measure->n_items; i++)
        n += check_may_fail(&t->measure->items[i]) ? t->measure->items[i].n_runs : 0;
    return n;
}

/* An even share of what is left of the deadline. */
static int64_t limit_of_run(const struct check *c)
{
    const struct task *t = c->task;
    int64_t now = os_monotonic_ms(), left = t->until - now;
    if (!check_is_risky(c->item))
        return t->until;
    int64_t share = left / risky_runs_left(t);
    return now + (share < RISKY_MS ? share : RISKY_MS);
}

static int run_once(struct check *c, const struct plan *plan, struct err *err)
{
    int rc;
    if ((rc = buffers_restore(c->work, POISON_ZEROS, err)) ||
        (rc = plan_enqueue(plan, c->task->gpu, 0, plan->n, err)) ||
        (rc = gpu_wait(c->task->gpu, c->limit, err)))
        return rc;
    return task_check(c->task, err);
}

void check_tell(struct msg_part *p, const struct findings *f, uint64_t broken, int changed)
{
    bool right = f->wrong == 0 && broken == 0 && changed == 0;
    part_value(p, "wrong_elements", (double)f->wrong);
    part_value(p, "compared_elements", (double)f->compared);
    part_value(p, "max_error", f->max_error);
    part_value(p, "not_finite", (double)f->not_finite);
    part_value(p, "faults", 0);
    part_value(p, "canaries_broken", (double)broken);
    part_value(p, "inputs_changed", changed);
    part_note(p, "verdict: %s", right ? "right" : "wrong");
}

static void add_placement(const struct check *c, struct msg_part *p)
{
    if (c->item->offset)
        part_note(p, "buffers moved by %d bytes", c->item->offset);
    if (c->item->fence)
        part_note(p, "fenced");
    for (int i = 0; i < c->shape->n_buffers; i++)
        if (buffers_gap(c->work, i))
            part_note(p,
                      "%s ends %d bytes before the fence, for its base stays on a boundary of 16",
                      c->shape->buffers[i].name, (int)buffers_gap(c->work, i));
}

/* What the hardware stopped under a placement that should have harmed nobody. */
static bool is_fault(const struct check *c, int rc)
{
    return rc == ERR_FAULT && check_is_risky(c->item) && fault_of_kernel(c->task->gpu->sticky);
}

static bool is_unfinished(const struct check *c, int rc)
{
    return rc == ERR_TIMEOUT && c->limit < c->task->until;
}

static void tell_fault(const struct check *c, struct msg_part *p)
{
    part_value(p, "faults", 1);
    part_note(p, "fault: %s", fault_of_kernel(c->task->gpu->sticky));
    part_note(p, "verdict: wrong");
}

/* Whether it would have faulted, and been right, nobody knows. */
static void tell_unfinished(struct check *c, int64_t begun, struct msg_part *p, struct err *err)
{
    err_set(err, ERR_TIMEOUT, "no result after %.3g s", (double)(c->limit - begun) / 1e3);
    part_missing(p, "faults", "timeout: %s", err->text);
    part_missing(p, "wrong_elements", "timeout: %s", err->text);
    part_note(p, "unfinished: %s", err->text);
    part_note(p, "verdict: wrong");
    task_refuse(c->task, err);
    c->task->hung = true;
}

static int judge(struct check *c, struct msg_part *p, struct err *err)
{
    struct findings f = {.wrong = 0};
    uint64_t broken = 0;
    int changed = 0, rc;
    if ((rc = buffers_canaries(c->work, &broken, err)) ||
        (rc = results_compare(&c->results, &f, err)) ||
        (rc = results_inputs_changed(&c->results, &changed, err)))
        return rc;
    check_tell(p, &f, broken, changed);
    rc = f.wrong ? results_list_wrong(&c->results, p, err) : 0;
    return rc ? rc : buffers_mend(c->work, err); /* for the items after this one */
}

/* Once to warm up, and once; what came of it. */
static int run_and_judge(struct check *c, const struct plan *plan, struct msg_part *p,
                         struct err *err)
{
    int64_t begun = os_monotonic_ms();
    c->limit = limit_of_run(c);
    int rc = run_once(c, plan, err);
    if (!rc)
        rc = run_once(c, plan, err);
    if (!rc)
        return judge(c, p, err);
    if (is_fault(c, rc))
        tell_fault(c, p);
    else if (is_unfinished(c, rc))
        tell_unfinished(c, begun, p, err);
    else
        return rc;
    return 0;
}

static int check_run(struct check *c, const char *id, struct msg_part *p, struct err *err)
{
    struct gpu *g = c->task->gpu;
    struct plan plan;
    int before = 0, rc = plan_new(&plan, c->task, c->item->variant, id, c->work, err);
    if (rc)
        return rc;
    plan_prefer_shared(&plan, g, true);
    add_placement(c, p);
    if (!(rc = buffers_mend(c->work, err)) &&
        !(rc = results_inputs_changed(&c->results, &before, err)))
        rc = run_and_judge(c, &plan, p, err);
    plan_prefer_shared(&plan, g, false);
    plan_free(&plan);
    return rc;
}

/* ---- the check of the check ---- */

/* An input with as many bytes as output i, or -1. */
static int like_input(const struct results *r, int i)
{
    for (int k = 0; k < r->shape->n_buffers; k++)
        if (r->shape->buffers[k].role == ROLE_INPUT &&
            r->shape->buffers[k].type == r->shape->buffers[i].type &&
            r->shape->buffers[k].count == r->shape->buffers[i].count)
            return k;
    return -1;
}

/* Puts a cheat's result where output i would be, and counts what the check finds wrong with it. */
static int try_cheat(struct results *r, int i, int fill_byte, cu_ptr copy_of, struct findings *f,
                     struct err *err)
{
    struct gpu *g = r->task->gpu;
    uint64_t bytes = buffers_bytes(r->work, i);
    cu_ptr at = r->kept[i];
    int rc = copy_of ? GPU(g, err, cuMemcpyDtoDAsync_v2, at, copy_of, bytes, g->stream)
                     : GPU(g, err, cuMemsetD8Async, at, (unsigned char)fill_byte, bytes, g->stream);
    return rc ? rc : results_compare_with(r, i, at, f, err);
}

/* For each cheat the least that is found wrong in any output: one output that passes is a hole. */
int check_the_check(struct results *r, struct msg_part *p, struct err *err)
{
    double zeros = INFINITY, poison = INFINITY, input = INFINITY, largest = 0;
    int rc = 0;
    for (int i = 0; i < r->shape->n_buffers && !rc; i++) {
        struct findings z = {.wrong = 0}, n = {.wrong = 0}, k = {.wrong = 0};
        int like = like_input(r, i);
        if (r->shape->buffers[i].role != ROLE_OUTPUT || !r->shape->buffers[i].count)
            continue;
        if ((rc = try_cheat(r, i, 0, 0, &z, err)) || (rc = try_cheat(r, i, 0xff, 0, &n, err)))
            break;
        if (like >= 0 && !(rc = try_cheat(r, i, 0, buffers_at(r->work, like), &k, err)))
            input = fmin(input, (double)k.wrong);
        zeros = fmin(zeros, (double)z.wrong);
        poison = fmin(poison, (double)n.wrong);
        largest = fmax(largest, z.max_error);
    }
    if (rc || !isfinite(zeros))
        return rc;
    part_value(p, "zeros_wrong", zeros);
    part_value(p, "poison_wrong", poison);
    if (isfinite(input))
        part_value(p, "input_wrong", input);
    part_value(p, "largest_value", largest);
    part_note(p, "check of the check: %s",
              zeros == 0 ? "zeros would pass" : poison == 0 ? "an unwritten output would pass"
              : input == 0 ? "a copied input would pass" : "passed");
    return 0;
}

/* ---- an item ---- */

typedef int (*check_step)(struct check *c, const char *id, struct msg_part *p, struct err *err);

static int reference_step(struct check *c, const char *id, struct msg_part *p, struct err *err)
{
    (void)id;
    return check_the_check(&c->results, p, err);
}

static int send_step(struct check *c, const char *id, check_step step, struct err *err)
{
    struct msg_part *p = task_part_new(c->task, PROBE_CHECK, id, c->item->variant);
    int rc = step(c, id, p, err);
    if (rc) {
        task_part_free(p);
        return rc;
    }
    return task_part_send(c->task, p, err);
}

static int all_runs(struct check *c, struct err *err)
{
    struct task *t = c->task;
    int rc = 0, n = c->item->n_runs;
    task_progress(t, "check", 0, n + 1, "running the reference");
    if ((rc = results_open(&c->results, t, c->item, c->work, err)) ||
        (rc = results_kept_truth(&c->results, c->item, err)))
        return rc;
    if (!check_is_risky(c->item))
        rc = send_step(c, c->item->against, reference_step, err);
    for (; t->runs_done < n && !rc && !t->gpu->lost; t->runs_done++) {
        task_progress(t, "check", t->runs_done + 1, n + 1, "checking %s",
                      c->item->runs[t->runs_done]);
        rc = send_step(c, c->item->runs[t->runs_done], check_run, err);
    }
    return rc;
}

static int send_unsupported(struct check *c, struct err *err)
{
    int rc = 0;
    char why[256];
    snprintf(why, sizeof why, "%.200s", err->text);
    task_refuse(c->task, err);
    for (int i = 0; i < c->item->n_runs && !rc; i++) {
        struct msg_part *p =
            task_part_new(c->task, PROBE_CHECK, c->item->runs[i], c->item->variant);
        part_missing(p, "faults", "unsupported: %s", why);
        part_missing(p, "wrong_elements", "unsupported: %s", why);
        rc = task_part_send(c->task, p, err);
    }
    return rc;
}

/* What is kept of the item before may be what leaves no room. */
static int place_anew(struct check *c, const struct placement *where, struct err *err)
{
    struct task *t = c->task;
    int rc = buffers_new_at(&c->work, t->gpu, c->shape, t->measure->seed, where, err);
    if ((rc == ERR_TOO_LARGE || rc == ERR_MEMORY) && results_forget_truth(t))
        rc = buffers_new_at(&c->work, t->gpu, c->shape, t->measure->seed, where, err);
    return rc;
}

int check_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                  struct err *err)
{
    struct check c = {.task = t,
                      .item = item,
                      .shape = msg_shape_of(t->measure, item->variant),
                      .work = base};
    struct placement where = {.offset = item->offset, .fence = item->fence};
    int rc = 0;
    if (check_is_risky(item))
        rc = place_anew(&c, &where, err);
    if (rc)
        return rc == ERR_UNSUPPORTED ? send_unsupported(&c, err) : rc;
    c.results.task = t; /* for its end, however early */
    rc = all_runs(&c, err);
    results_close(&c.results);
    if (check_is_risky(item))
        buffers_free(c.work);
    return rc;
}
