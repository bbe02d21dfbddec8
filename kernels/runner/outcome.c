#include "kernels/runner/outcome.h"

#include "kernels/runner/faults.h"
#include "kernels/runner/plan.h"
#include "kernels/wire/os.h"

enum outcome { ENDED, REFUSED, FAULTED, UNFINISHED };

/* What came of a run that returned rc; *rc becomes 0 where that is a finding. Hardware that is
 * broken, and a request that is out of time, are none. */
static enum outcome judge(const struct task *t, int64_t limit, int *rc)
{
    bool by_kernel = fault_of_kernel(t->gpu->sticky) != NULL;
    enum outcome is = *rc == ERR_LAUNCH                        ? REFUSED
                      : *rc == ERR_FAULT && by_kernel          ? FAULTED
                      : *rc == ERR_TIMEOUT && limit < t->until ? UNFINISHED
                                                               : ENDED;
    if (is != ENDED)
        *rc = 0;
    return is;
}

/* In the words that every program gets, whatever this runner thinks of them. */
static void tell_error(struct gpu *g, struct msg_part *p)
{
    const char *name = NULL, *text = NULL;
    bool named = g->cu.cuGetErrorName(g->failed, &name) == CU_OK && name,
         told = g->cu.cuGetErrorString(g->failed, &text) == CU_OK && text;
    part_line(p, "error %d: %s", g->failed, told ? text : "no description");
    if (named)
        part_note(p, "%s", name);
}

static void tell(struct task *t, const struct msg_item *item, enum outcome is, struct msg_part *p)
{
    static const char *const words[] = {"ended", "refused", "faulted", "unfinished"};
    part_value(p, "refused", is == REFUSED);
    part_value(p, "faulted", is == FAULTED);
    part_value(p, "unfinished", is == UNFINISHED);
    part_note(p, "outcome: %s", words[is]);
    if (is == UNFINISHED)
        part_line(p, "no result after %g s", item->limit_ms / 1e3);
    else if (is != ENDED)
        tell_error(t->gpu, p);
}

static int run_once(struct task *t, const struct plan *plan, int64_t limit, struct err *err)
{
    int rc = plan_enqueue(plan, t->gpu, 0, plan->n, err);
    return rc ? rc : gpu_wait(t->gpu, limit < t->until ? limit : t->until, err);
}

/* Before the run everything is waited for, so that what fails afterwards is the run's. */
static int prepare(struct task *t, struct plan *plan, struct buffers *b, const char *id,
                   struct err *err)
{
    int rc = plan_new_as_is(plan, t, t->measure->items[t->item].variant, id, b, err);
    if (rc)
        return rc;
    if ((rc = buffers_restore(b, POISON_ZEROS, err)) || (rc = task_wait(t, err)))
        plan_free(plan);
    return rc;
}

static int try_run(struct task *t, struct buffers *b, const struct msg_item *item, const char *id,
                   struct err *err)
{
    struct plan plan;
    int rc = prepare(t, &plan, b, id, err);
    if (rc)
        return rc;
    int64_t limit = os_monotonic_ms() + item->limit_ms;
    rc = run_once(t, &plan, limit, err);
    enum outcome is = judge(t, limit, &rc);
    plan_free(&plan);
    if (!rc && !t->gpu->lost)
        rc = buffers_mend(b, err); /* for the items after this one */
    if (rc)
        return rc;
    t->hung = is == UNFINISHED;
    struct msg_part *p = task_part_new(t, PROBE_OUTCOME, id, item->variant);
    tell(t, item, is, p);
    return task_part_send(t, p, err);
}

int outcome_measure(struct task *t, struct buffers *base, const struct msg_item *item,
                    struct err *err)
{
    int rc = 0, n = item->n_runs;
    for (; t->runs_done < n && !rc && !t->gpu->lost; t->runs_done++) {
        task_progress(t, "outcome", t->runs_done, n, "running %s, which may not end",
                      item->runs[t->runs_done]);
        rc = try_run(t, base, item, item->runs[t->runs_done], err);
    }
    return rc;
}
