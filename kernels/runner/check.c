#include "kernels/runner/check.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/plan.h"
#include "kernels/wire/text.h"

struct check {
    struct task *task;
    const struct msg_item *item;
    const struct msg_shape *shape;
    struct buffers *work, *truth;
    cu_ptr kept[CAP_BUFFERS];      /* outputs of the first of two runs */
};

/* What wd_compare gives back, word for word. */
struct verdict_words { uint64_t wrong, max_error_bits, first, not_finite; };
struct findings { uint64_t wrong, compared, not_finite; double max_error; };

static bool is_result(const struct msg_buffer *m)
{
    return m->role == ROLE_OUTPUT || m->role == ROLE_INOUT;
}

static int compare_from(struct check *c, int i, cu_ptr x, uint64_t from, struct verdict_words *out, struct err *err)
{
    struct gpu *g = c->task->gpu;
    const struct msg_tolerance *tol = &c->task->measure->tolerance;
    uint64_t count = c->shape->buffers[i].count;
    cu_ptr r = buffers_at(c->truth, i);
    int xtype = buffers_type(c->work, i), rtype = buffers_type(c->truth, i), exact = tol->kind == TOL_EXACT, rc;
    double rel = tol->rel, absolute = tol->abs;
    void *args[] = {&x, &xtype, &r, &rtype, &count, &exact, &rel, &absolute, &from, &g->scratch};
    *out = (struct verdict_words){.first = UINT64_MAX};
    if (count == 0)
        return 0;
    if ((rc = GPU(g, err, cuMemsetD8Async, g->scratch, 0, sizeof *out, g->stream)) ||
        (rc = GPU(g, err, cuMemsetD8Async, g->scratch + offsetof(struct verdict_words, first), 0xff, 8, g->stream)) ||
        (rc = gpu_launch(g, OWN_COMPARE, gpu_grid(g, count), 256, args, err)) || (rc = task_wait(c->task, err)))
        return rc;
    return GPU(g, err, cuMemcpyDtoH_v2, out, g->scratch, sizeof *out);
}

static int compare_buffer(struct check *c, int i, cu_ptr x, struct findings *f, struct err *err)
{
    struct verdict_words words;
    int rc = compare_from(c, i, x, 0, &words, err);
    double worst;
    memcpy(&worst, &words.max_error_bits, sizeof worst);
    f->wrong += words.wrong;
    f->not_finite += words.not_finite;
    f->compared += c->shape->buffers[i].count;
    f->max_error = fmax(f->max_error, worst);
    return rc;
}

static double half_value(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double v = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return h >> 15 ? -v : v;
}

static double element_value(const void *bytes, int type)
{
    union { double f64; float f32; int64_t i64; int32_t i32; uint32_t u32; uint16_t u16; int8_t i8; uint8_t u8; } v;
    memcpy(&v, bytes, 8);
    switch (type) {
    case T_F64: return v.f64;
    case T_F32: return v.f32;
    case T_F16: return half_value(v.u16);
    case T_BF16: v.u32 = (uint32_t)v.u16 << 16; return v.f32;
    case T_I64: return (double)v.i64;
    case T_I32: return v.i32;
    case T_U32: return v.u32;
    case T_I8: return v.i8;
    default: return v.u8;
    }
}

static int read_element(struct gpu *g, const struct buffers *b, int i, uint64_t at, double *out, struct err *err)
{
    unsigned char bytes[8] = {0};
    int type = buffers_type(b, i);
    uint64_t size = (uint64_t)elem_size((enum elem_type)type);
    int rc = GPU(g, err, cuMemcpyDtoH_v2, bytes, buffers_at(b, i) + at * size, size);
    *out = element_value(bytes, type);
    return rc;
}

/* The first wrong elements, in order: each call of the kernel finds the lowest from an index on. */
static int list_wrong(struct check *c, struct msg_part *p, int i, struct err *err)
{
    struct gpu *g = c->task->gpu;
    struct verdict_words words = {.first = 0};
    uint64_t from = 0;
    int rc = 0;
    while (!rc && p->n_lines < CAP_WRONG) {
        double got = 0, want = 0;
        if ((rc = compare_from(c, i, buffers_at(c->work, i), from, &words, err)) || words.first == UINT64_MAX)
            break;
        if ((rc = read_element(g, c->work, i, words.first, &got, err)) ||
            (rc = read_element(g, c->truth, i, words.first, &want, err)))
            break;
        part_line(p, "%s[%" PRIu64 "] is %.9g, should be %.9g", c->shape->buffers[i].name, words.first, got, want);
        from = words.first + 1;
    }
    return rc;
}

/* NaN in all shared memory, so that reading what was never written shows. */
static int ruin_shared(struct gpu *g, struct err *err)
{
    unsigned words = (unsigned)g->facts.smem_block_optin / 4;
    void *args[] = {&words};
    return gpu_launch(g, OWN_RUIN_SHARED, 2 * (unsigned)g->facts.sm_count, 256, args, err);
}

static int run_once(struct check *c, struct plan *plan, enum poison poison, uint64_t *broken, struct err *err)
{
    struct gpu *g = c->task->gpu;
    uint64_t here = 0;
    int rc;
    if ((rc = buffers_restore(c->work, poison, err)) || (rc = ruin_shared(g, err)) ||
        (rc = plan_enqueue(plan, g, 0, plan->n, err)) || (rc = task_wait(c->task, err)) ||
        (rc = buffers_canaries(c->work, &here, err)))
        return rc;
    *broken = here > *broken ? here : *broken;
    return 0;
}

static int keep_results(struct check *c, struct err *err)
{
    struct gpu *g = c->task->gpu;
    int rc = 0;
    for (int i = 0; i < c->shape->n_buffers && !rc; i++)
        if (is_result(&c->shape->buffers[i]))
            rc = GPU(g, err, cuMemcpyDtoDAsync_v2, c->kept[i], buffers_at(c->work, i), buffers_bytes(c->work, i), g->stream);
    return rc;
}

static int count_differences(struct check *c, uint64_t *out, struct err *err)
{
    struct gpu *g = c->task->gpu;
    int rc = GPU(g, err, cuMemsetD8Async, g->scratch, 0, 8, g->stream);
    for (int i = 0; i < c->shape->n_buffers && !rc; i++) {
        uint64_t count = c->shape->buffers[i].count;
        unsigned size = (unsigned)elem_size(c->shape->buffers[i].type);
        cu_ptr now = buffers_at(c->work, i);
        void *args[] = {&now, &c->kept[i], &count, &size, &g->scratch};
        if (is_result(&c->shape->buffers[i]) && count)
            rc = gpu_launch(g, OWN_DIFFER, gpu_grid(g, count), 256, args, err);
    }
    if (rc || (rc = task_wait(c->task, err)))
        return rc;
    return GPU(g, err, cuMemcpyDtoH_v2, out, g->scratch, sizeof *out);
}

static int compare_all(struct check *c, struct findings *f, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < c->shape->n_buffers && !rc; i++)
        if (is_result(&c->shape->buffers[i]))
            rc = compare_buffer(c, i, buffers_at(c->work, i), f, err);
    return rc;
}

static int changed_inputs(struct check *c, int *changed, struct err *err)
{
    int rc;
    if ((rc = buffers_hash_inputs(c->work, err)) || (rc = task_wait(c->task, err)))
        return rc;
    return buffers_inputs_changed(c->work, changed, err);
}

static void add_findings(struct msg_part *p, const struct findings *f, uint64_t differences, uint64_t broken, int changed)
{
    bool right = f->wrong == 0 && differences == 0 && broken == 0 && changed == 0;
    part_value(p, "wrong_elements", (double)f->wrong);
    part_value(p, "compared_elements", (double)f->compared);
    part_value(p, "max_error", f->max_error);
    part_value(p, "not_finite", (double)f->not_finite);
    part_value(p, "poison_differences", (double)differences);
    part_value(p, "canaries_broken", (double)broken);
    part_value(p, "inputs_changed", changed);
    part_note(p, "verdict: %s", right ? "right" : "wrong");
}

/* Results of both runs are compared, so that a value that only one of them got wrong is found. */
static int check_run(struct check *c, const char *id, struct msg_part *p, struct err *err)
{
    struct findings first = {.wrong = 0}, second = {.wrong = 0};
    uint64_t broken = 0, differences = 0;
    struct plan plan;
    int changed = 0, rc = plan_new(&plan, c->task, c->item->variant, id, c->work, err);
    if (rc)
        return rc;
    if (!(rc = buffers_mend(c->work, err)) && !(rc = changed_inputs(c, &changed, err)) &&
        !(rc = run_once(c, &plan, POISON_NAN, &broken, err)) &&
        !(rc = compare_all(c, &first, err)) && !(rc = keep_results(c, err)) &&
        !(rc = run_once(c, &plan, POISON_RANDOM, &broken, err)) && !(rc = count_differences(c, &differences, err)) &&
        !(rc = compare_all(c, &second, err)) && !(rc = changed_inputs(c, &changed, err))) {
        second.not_finite = first.not_finite > second.not_finite ? first.not_finite : second.not_finite;
        second.wrong = first.wrong > second.wrong ? first.wrong : second.wrong;
        second.max_error = fmax(first.max_error, second.max_error);
        add_findings(p, &second, differences, broken, changed);
        for (int i = 0; i < c->shape->n_buffers && !rc && second.wrong; i++)
            if (is_result(&c->shape->buffers[i]))
                rc = list_wrong(c, p, i, err);
        rc = rc ? rc : buffers_mend(c->work, err); /* for the items after this one */
    }
    plan_free(&plan);
    return rc;
}

/* An input with as many bytes as output i, or -1. */
static int like_input(const struct check *c, int i)
{
    for (int k = 0; k < c->shape->n_buffers; k++)
        if (c->shape->buffers[k].role == ROLE_INPUT && c->shape->buffers[k].type == c->shape->buffers[i].type &&
            c->shape->buffers[k].count == c->shape->buffers[i].count)
            return k;
    return -1;
}

/* Puts a cheat's result where output i would be, and counts what the check finds wrong with it. */
static int try_cheat(struct check *c, int i, int fill_byte, cu_ptr copy_of, struct findings *f, struct err *err)
{
    struct gpu *g = c->task->gpu;
    uint64_t bytes = buffers_bytes(c->work, i);
    int rc = copy_of ? GPU(g, err, cuMemcpyDtoDAsync_v2, c->kept[i], copy_of, bytes, g->stream)
                     : GPU(g, err, cuMemsetD8Async, c->kept[i], (unsigned char)fill_byte, bytes, g->stream);
    return rc ? rc : compare_buffer(c, i, c->kept[i], f, err);
}

/* For each cheat the least that is found wrong in any output: one output that passes is a hole. */
static int check_the_check(struct check *c, struct msg_part *p, struct err *err)
{
    double zeros = INFINITY, poison = INFINITY, input = INFINITY, largest = 0;
    int rc = 0;
    for (int i = 0; i < c->shape->n_buffers && !rc; i++) {
        struct findings z = {.wrong = 0}, n = {.wrong = 0}, k = {.wrong = 0};
        int like = like_input(c, i);
        if (c->shape->buffers[i].role != ROLE_OUTPUT || !c->shape->buffers[i].count)
            continue;
        if ((rc = try_cheat(c, i, 0, 0, &z, err)) || (rc = try_cheat(c, i, 0xff, 0, &n, err)))
            break;
        if (like >= 0 && !(rc = try_cheat(c, i, 0, buffers_at(c->work, like), &k, err)))
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

static int run_reference(struct check *c, struct err *err)
{
    struct plan plan;
    int rc = plan_new(&plan, c->task, c->item->variant, c->item->against, c->truth, err);
    if (!rc && !(rc = plan_enqueue(&plan, c->task->gpu, 0, plan.n, err)))
        rc = task_wait(c->task, err);
    plan_free(&plan);
    return rc;
}

static int open_check(struct check *c, struct err *err)
{
    struct gpu *g = c->task->gpu;
    int rc = buffers_new(&c->truth, g, c->shape, c->task->measure->seed, true, err);
    for (int i = 0; i < c->shape->n_buffers && !rc; i++)
        if (is_result(&c->shape->buffers[i]))
            rc = GPU(g, err, cuMemAlloc_v2, &c->kept[i], buffers_bytes(c->work, i) + 8);
    return rc ? rc : run_reference(c, err);
}

static void close_check(struct check *c)
{
    for (int i = 0; i < CAP_BUFFERS; i++)
        if (c->kept[i] && !c->task->gpu->lost)
            c->task->gpu->cu.cuMemFree_v2(c->kept[i]);
    buffers_free(c->truth);
}

typedef int (*check_step)(struct check *c, const char *id, struct msg_part *p, struct err *err);

static int reference_step(struct check *c, const char *id, struct msg_part *p, struct err *err)
{
    (void)id;
    return check_the_check(c, p, err);
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

int check_measure(struct task *t, struct buffers *base, const struct msg_item *item, struct err *err)
{
    struct check c = {.task = t, .item = item, .shape = msg_shape_of(t->measure, item->variant), .work = base};
    task_progress(t, "check", 0, item->n_runs + 1, "running the reference");
    int rc = open_check(&c, err);
    if (!rc)
        rc = send_step(&c, item->against, reference_step, err);
    for (int i = 0; i < item->n_runs && !rc; i++) {
        task_progress(t, "check", i + 1, item->n_runs + 1, "checking %s", item->runs[i]);
        rc = send_step(&c, item->runs[i], check_run, err);
    }
    close_check(&c);
    return rc;
}
