#include "kernels/runner/results.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* What wd_compare and wd_spread give back, word for word. */
struct compare_words { uint64_t wrong, max_error_bits, first, not_finite; };
struct spread_words { uint64_t differing, ulp, nan, first; };

static bool results_has(const struct results *r, int buffer)
{
    enum buffer_role role = r->shape->buffers[buffer].role;
    return role == ROLE_OUTPUT || role == ROLE_INOUT;
}

int results_open(struct results *r, struct task *t, const struct msg_item *item,
                 struct buffers *work, struct err *err)
{
    struct gpu *g = t->gpu;
    int rc = 0;
    *r = (struct results){.task = t,
                          .shape = msg_shape_of(t->measure, item->variant),
                          .work = work,
                          .seed = t->measure->seed};
    for (int i = 0; i < r->shape->n_buffers && !rc; i++)
        if (results_has(r, i))
            rc = GPU(g, err, cuMemAlloc_v2, &r->kept[i], buffers_bytes(work, i) + 8);
    return rc;
}

void results_close(struct results *r)
{
    struct gpu *g = r->task->gpu;
    for (int i = 0; i < CAP_BUFFERS; i++)
        if (r->kept[i] && !g->lost)
            GPU(g, NULL, cuMemFree_v2, r->kept[i]);
    if (r->truth != r->task->truth.buffers)
        buffers_free(r->truth);
}

int results_truth(struct results *r, const struct msg_item *item, struct err *err)
{
    struct task *t = r->task;
    struct plan plan = {.n = 0};
    int rc = buffers_new(&r->truth, t->gpu, r->shape, r->seed, true, err);
    if (!rc && !(rc = plan_new(&plan, t, item->variant, item->against, r->truth, err)) &&
        !(rc = plan_enqueue(&plan, t->gpu, 0, plan.n, err)))
        rc = task_wait(t, err);
    plan_free(&plan);
    return rc;
}

bool results_forget_truth(struct task *t)
{
    bool had = t->truth.buffers != NULL;
    buffers_free(t->truth.buffers);
    t->truth = (struct truth){.buffers = NULL};
    return had;
}

int results_kept_truth(struct results *r, const struct msg_item *item, struct err *err)
{
    struct truth *has = &r->task->truth;
    if (has->buffers && has->variant == item->variant && !strcmp(has->run, item->against)) {
        r->truth = has->buffers;
        return 0;
    }
    results_forget_truth(r->task);
    int rc = results_truth(r, item, err);
    if (!rc)
        *has = (struct truth){r->truth, item->variant, item->against};
    return rc;
}

/* Runs one of the two kernels over `count` elements; `first` is the word that has to begin at its
 * highest. */
static int examine(struct results *r, enum own_kernel k, uint64_t count, void **args, size_t first,
                   void *out, struct err *err)
{
    struct gpu *g = r->task->gpu;
    int rc;
    if ((rc = GPU(g, err, cuMemsetD8Async, g->scratch, 0, sizeof(struct compare_words),
                  g->stream)) ||
        (rc = GPU(g, err, cuMemsetD8Async, g->scratch + first, 0xff, 8, g->stream)) ||
        (count && (rc = gpu_launch(g, k, gpu_grid(g, count), 256, args, err))) ||
        (rc = task_wait(r->task, err)))
        return rc;
    return GPU(g, err, cuMemcpyDtoH_v2, out, g->scratch, sizeof(struct compare_words));
}

/* x against y, one right result against another when `slack` is 2. */
struct pair { cu_ptr x, y; int xtype, ytype; double slack; };

static int compare_from(struct results *r, int i, struct pair p, uint64_t from,
                        struct compare_words *out, struct err *err)
{
    const struct msg_tolerance *tol = &r->task->measure->tolerance;
    uint64_t count = r->shape->buffers[i].count;
    int exact = tol->kind == TOL_EXACT;
    double rel = p.slack * tol->rel, absolute = p.slack * tol->abs;
    void *args[] = {&p.x,   &p.xtype, &p.y,      &p.ytype, &count,
                    &exact, &rel,     &absolute, &from,    &r->task->gpu->scratch};
    return examine(r, OWN_COMPARE, count, args, offsetof(struct compare_words, first), out, err);
}

static struct pair against_truth(const struct results *r, int i, cu_ptr x)
{
    return (struct pair){x, buffers_at(r->truth, i), buffers_type(r->work, i),
                         buffers_type(r->truth, i), 1};
}

static struct pair against_kept(const struct results *r, int i)
{
    int type = buffers_type(r->work, i);
    return (struct pair){buffers_at(r->work, i), r->kept[i], type, type, 2};
}

int results_compare_with(struct results *r, int buffer, cu_ptr x, struct findings *f,
                         struct err *err)
{
    struct compare_words words = {.wrong = 0};
    int rc = compare_from(r, buffer, against_truth(r, buffer, x), 0, &words, err);
    double worst;
    memcpy(&worst, &words.max_error_bits, sizeof worst);
    f->wrong += words.wrong;
    f->not_finite += words.not_finite;
    f->compared += r->shape->buffers[buffer].count;
    f->max_error = fmax(f->max_error, worst);
    return rc;
}

int results_compare(struct results *r, struct findings *f, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < r->shape->n_buffers && !rc; i++)
        if (results_has(r, i))
            rc = results_compare_with(r, i, buffers_at(r->work, i), f, err);
    return rc;
}

int results_keep(struct results *r, struct err *err)
{
    struct gpu *g = r->task->gpu;
    int rc = 0;
    for (int i = 0; i < r->shape->n_buffers && !rc; i++)
        if (results_has(r, i))
            rc = GPU(g, err, cuMemcpyDtoDAsync_v2, r->kept[i], buffers_at(r->work, i),
                     buffers_bytes(r->work, i), g->stream);
    return rc ? rc : task_wait(r->task, err);
}

static int spread_from(struct results *r, int i, uint64_t from, struct spread_words *out,
                       struct err *err)
{
    uint64_t count = r->shape->buffers[i].count;
    cu_ptr now = buffers_at(r->work, i);
    int type = buffers_type(r->work, i);
    void *args[] = {&now, &r->kept[i], &type, &count, &from, &r->task->gpu->scratch};
    return examine(r, OWN_SPREAD, count, args, offsetof(struct spread_words, first), out, err);
}

int results_spread(struct results *r, struct spread *out, struct err *err)
{
    int rc = 0;
    *out = (struct spread){.differing = 0};
    for (int i = 0; i < r->shape->n_buffers && !rc; i++) {
        struct spread_words words = {.differing = 0};
        if (!results_has(r, i))
            continue;
        rc = spread_from(r, i, 0, &words, err);
        out->differing += words.differing;
        out->nan += words.nan;
        out->ulp = words.ulp > out->ulp ? words.ulp : out->ulp;
    }
    return rc;
}

int results_beyond(struct results *r, uint64_t *out, struct err *err)
{
    int rc = 0;
    *out = 0;
    for (int i = 0; i < r->shape->n_buffers && !rc; i++) {
        struct compare_words words = {.wrong = 0};
        if (results_has(r, i))
            rc = compare_from(r, i, against_kept(r, i), 0, &words, err);
        *out += words.wrong;
    }
    return rc;
}

/* ---- single elements, for people ---- */

static double half_value(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double v = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return h >> 15 ? -v : v;
}

static double e4m3_value(uint8_t b)
{
    int exponent = b >> 3 & 15, fraction = b & 7;
    double v = (b & 127) == 127 ? NAN
               : exponent == 0  ? ldexp(fraction, -9)
                                : ldexp(8 + fraction, exponent - 10);
    return b >> 7 ? -v : v;
}

static double element_value(const void *bytes, int type)
{
    union {
        double f64;
        float f32;
        int64_t i64;
        int32_t i32;
        uint32_t u32;
        uint16_t u16;
        int8_t i8;
        uint8_t u8;
    } v;
    memcpy(&v, bytes, 8);
    switch (type) {
    case T_F64: return v.f64;
    case T_F32: return v.f32;
    case T_F16: return half_value(v.u16);
    case T_BF16: v.u32 = (uint32_t)v.u16 << 16; return v.f32;
    case T_E4M3: return e4m3_value(v.u8);
    case T_E5M2: return half_value((uint16_t)(v.u8 << 8));
    case T_I64: return (double)v.i64;
    case T_I32: return v.i32;
    case T_U32: return v.u32;
    case T_I8: return v.i8;
    default: return v.u8;
    }
}

static int read_element(struct gpu *g, cu_ptr p, int type, uint64_t at, double *out,
                        struct err *err)
{
    unsigned char bytes[8] = {0};
    uint64_t size = (uint64_t)elem_size((enum elem_type)type);
    int rc = GPU(g, err, cuMemcpyDtoH_v2, bytes, p + at * size, size);
    *out = element_value(bytes, type);
    return rc;
}

/* Each call of the kernel finds the lowest from an index on. */
static int list_wrong_of(struct results *r, struct msg_part *p, int i, struct err *err)
{
    struct gpu *g = r->task->gpu;
    struct pair pair = against_truth(r, i, buffers_at(r->work, i));
    struct compare_words words;
    int rc = 0;
    for (uint64_t from = 0; !rc && p->n_lines < CAP_WRONG; from = words.first + 1) {
        double got = 0, want = 0;
        if ((rc = compare_from(r, i, pair, from, &words, err)) || words.first == UINT64_MAX)
            break;
        if ((rc = read_element(g, pair.x, pair.xtype, words.first, &got, err)) ||
            (rc = read_element(g, pair.y, pair.ytype, words.first, &want, err)))
            break;
        part_line(p, "%s[%" PRIu64 "] is %.9g, should be %.9g", r->shape->buffers[i].name,
                  words.first, got, want);
    }
    return rc;
}

int results_list_wrong(struct results *r, struct msg_part *p, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < r->shape->n_buffers && !rc; i++)
        if (results_has(r, i))
            rc = list_wrong_of(r, p, i, err);
    return rc;
}

/* What is listed of a run beside the kept one: elements that are beyond the tolerance of it, or
 * whose bits differ; and what the two are called. */
struct listing { bool beyond; const char *now, *kept; };

/* The lowest such element from an index on; UINT64_MAX: none. */
static int next_differing(struct results *r, int i, bool beyond, uint64_t from, uint64_t *at,
                          struct err *err)
{
    struct compare_words apart = {.first = UINT64_MAX};
    struct spread_words bits = {.first = UINT64_MAX};
    int rc = beyond ? compare_from(r, i, against_kept(r, i), from, &apart, err)
                    : spread_from(r, i, from, &bits, err);
    *at = beyond ? apart.first : bits.first;
    return rc;
}

static int list_spread_of(struct results *r, struct msg_part *p, int i, const struct listing *l,
                          struct err *err)
{
    enum { FEW = 4 };
    struct pair pair = against_kept(r, i);
    uint64_t from = 0, at;
    int rc = 0;
    for (int n = 0; !rc && n < FEW && p->n_lines < CAP_WRONG; n++, from = at + 1) {
        double a = 0, b = 0;
        if ((rc = next_differing(r, i, l->beyond, from, &at, err)) || at == UINT64_MAX)
            break;
        if ((rc = read_element(r->task->gpu, pair.x, pair.xtype, at, &a, err)) ||
            (rc = read_element(r->task->gpu, pair.y, pair.ytype, at, &b, err)))
            break;
        part_line(p, "%s[%" PRIu64 "] is %.9g %s, %.9g %s", r->shape->buffers[i].name, at, a,
                  l->now, b, l->kept);
    }
    return rc;
}

int results_list_spread(struct results *r, struct msg_part *p, const char *now, const char *kept,
                        struct err *err)
{
    uint64_t beyond = 0;
    int rc = results_beyond(r, &beyond, err);
    struct listing l = {beyond > 0, now, kept};
    for (int i = 0; i < r->shape->n_buffers && !rc; i++)
        if (results_has(r, i))
            rc = list_spread_of(r, p, i, &l, err);
    return rc;
}

int results_inputs_changed(struct results *r, int *changed, struct err *err)
{
    int rc;
    if ((rc = buffers_hash_inputs(r->work, err)) || (rc = task_wait(r->task, err)))
        return rc;
    return buffers_inputs_changed(r->work, changed, err);
}
