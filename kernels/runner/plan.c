#include "kernels/runner/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

union argument {
    cu_ptr p;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
};

struct plan_launch {
    cu_function function;
    unsigned grid[3], block[3], shared;
    union argument values[CAP_ARGS];
    void *args[CAP_ARGS];
};

static void bind_argument(union argument *to, const struct msg_arg *from, const struct buffers *b)
{
    switch (from->kind) {
    case ARG_BUFFER: to->p = buffers_at(b, from->buffer); break;
    case ARG_I32: to->i32 = (int32_t)from->i; break;
    case ARG_I64: to->i64 = from->i; break;
    case ARG_F32: to->f32 = (float)from->f; break;
    case ARG_F64: to->f64 = from->f; break;
    }
}

static int allow_shared(struct gpu *g, const struct msg_launch *m, cu_function f, struct err *err)
{
    int fixed = 0, rc = GPU(g, err, cuFuncGetAttribute, &fixed, CU_FUNC_SHARED, f);
    if (rc || m->shared == 0)
        return rc;
    if ((uint64_t)fixed + m->shared > (uint64_t)g->facts.smem_block_optin)
        return err_set(err, ERR_LAUNCH, "%s asks for %u bytes of shared memory; this GPU gives a block %d", m->kernel,
                       (unsigned)fixed + m->shared, g->facts.smem_block_optin);
    return GPU(g, err, cuFuncSetAttribute, f, CU_FUNC_DYNAMIC_SHARED, (int)m->shared);
}

static int check_block(struct gpu *g, const struct msg_launch *m, cu_function f, struct err *err)
{
    int most = 0, rc = GPU(g, err, cuFuncGetAttribute, &most, CU_FUNC_THREADS_BLOCK, f);
    uint64_t threads = (uint64_t)m->block[0] * m->block[1] * m->block[2];
    if (!rc && threads > (uint64_t)most)
        return err_set(err, ERR_LAUNCH, "%s is launched with %llu threads a block; with its registers %d fit", m->kernel,
                       (unsigned long long)threads, most);
    return rc;
}

static int bind_launch(struct plan_launch *to, struct task *t, int variant, const struct msg_launch *from,
                       const struct buffers *b, struct err *err)
{
    struct image *image = images_find(t->images, from->source, variant);
    int rc;
    if (!image)
        return err_set(err, ERR_INTERNAL, "source %s came without its image", from->source);
    if ((rc = image_function(&to->function, t->images, image, from->kernel, err)) ||
        (rc = check_block(t->gpu, from, to->function, err)) || (rc = allow_shared(t->gpu, from, to->function, err)))
        return rc;
    memcpy(to->grid, from->grid, sizeof to->grid);
    memcpy(to->block, from->block, sizeof to->block);
    to->shared = from->shared;
    for (int i = 0; i < from->n_args; i++) {
        bind_argument(&to->values[i], &from->args[i], b);
        to->args[i] = &to->values[i];
    }
    return 0;
}

int plan_new(struct plan *out, struct task *t, int variant, const char *id, const struct buffers *b, struct err *err)
{
    const struct msg_run *run = msg_run_find(msg_shape_of(t->measure, variant), id);
    int rc = 0;
    *out = (struct plan){.n = 0};
    if (!run)
        return err_set(err, ERR_BAD_REQUEST, "there is no run %s", id);
    out->launches = mem_new((size_t)run->n_launches + 1, sizeof *out->launches);
    out->n = run->n_launches;
    for (int i = 0; i < run->n_launches && !rc; i++)
        rc = bind_launch(&out->launches[i], t, variant, &run->launches[i], b, err);
    if (rc)
        plan_free(out);
    return rc;
}

void plan_free(struct plan *p)
{
    free(p->launches);
    *p = (struct plan){.n = 0};
}

int plan_enqueue(const struct plan *p, struct gpu *g, int from, int to, struct err *err)
{
    int rc = 0;
    for (int i = from; i < to && !rc; i++) {
        struct plan_launch *l = &p->launches[i];
        rc = GPU(g, err, cuLaunchKernel, l->function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                 l->block[2], l->shared, g->stream, l->args, NULL);
    }
    return rc;
}

static int time_launch(const struct plan *p, struct task *t, int i, cu_event *e, float *ms, struct err *err)
{
    struct gpu *g = t->gpu;
    int rc;
    if ((rc = GPU(g, err, cuEventRecord, e[0], g->stream)) || (rc = plan_enqueue(p, g, i, i + 1, err)) ||
        (rc = GPU(g, err, cuEventRecord, e[1], g->stream)) || (rc = task_wait(t, err)))
        return rc;
    return GPU(g, err, cuEventElapsedTime, ms, e[0], e[1]);
}

int plan_longest(const struct plan *p, struct task *t, int *longest, struct err *err)
{
    struct gpu *g = t->gpu;
    cu_event e[2] = {NULL, NULL};
    float most = 0;
    int rc = 0;
    *longest = 0;
    if (p->n < 2)
        return 0;
    if (!(rc = GPU(g, err, cuEventCreate, &e[0], CU_EVENT_PLAIN)))
        rc = GPU(g, err, cuEventCreate, &e[1], CU_EVENT_PLAIN);
    for (int i = 0; i < p->n && !rc; i++) {
        float ms = 0;
        rc = time_launch(p, t, i, e, &ms, err);
        if (!rc && ms > most) {
            most = ms;
            *longest = i;
        }
    }
    for (int i = 0; i < 2; i++)
        if (e[i] && !g->lost)
            g->cu.cuEventDestroy_v2(e[i]);
    return rc;
}

cu_function plan_function(const struct plan *p, int launch)
{
    return p->launches[launch].function;
}
