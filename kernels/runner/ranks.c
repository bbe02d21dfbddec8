#include "kernels/runner/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/hands.h"
#include "kernels/wire/text.h"

enum { WAKING = 4 };

struct ranks {
    struct world *world;
    struct hands *hands;
    struct rank rank[CAP_RANKS];
};

struct ranks_run {
    struct ranks *ranks;
    char id[16];
    struct plan plan[CAP_RANKS];
    struct hosted *hosted[CAP_RANKS];
    struct hosted_call *calls[CAP_RANKS];      /* of the step at hand; may be NULL */
    uint64_t begin[CAP_RANKS], end[CAP_RANKS]; /* ns */
};

int ranks_count(const struct ranks *r) { return r->world->n; }

struct rank *ranks_at(struct ranks *r, int rank) { return &r->rank[rank]; }

/* ---- a step, by all threads ---- */

/* A thread that has slept launches several times slower at first: on two H200 a lone collective
 * took 58 us instead of 20. */
static int wake(struct gpu *g, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < WAKING && !rc; i++)
        if (!(rc = gpu_launch(g, OWN_EMPTY, 1, 32, NULL, err)))
            rc = GPU(g, err, cuStreamSynchronize, g->stream);
    return rc;
}

static int go_through(void *arg, struct gpu *g, struct err *err)
{
    struct ranks_run *run = arg;
    int rc = wake(g, err);
    if (rc || (rc = world_meet(g->world, err)))
        return rc;
    run->begin[g->rank] = hosted_now();
    rc = hosted_step(run->hosted[g->rank], run->calls[g->rank], err);
    run->end[g->rank] = hosted_now();
    return rc;
}

int ranks_run_step(struct ranks_run *run, double *seconds,
                   struct hosted_call (*calls)[CAP_STEPS + 1], struct err *err)
{
    struct ranks *r = run->ranks;
    char name[32];
    uint64_t begin = 0, end = 0;
    for (int i = 0; i < r->world->n; i++)
        run->calls[i] = calls ? calls[i] : NULL;
    snprintf(name, sizeof name, "run %s", run->id);
    int rc = hands_all(r->hands, name, go_through, run, r->rank[0].task.until, err);
    for (int i = 0; i < r->world->n && !rc; i++) {
        begin = i == 0 || run->begin[i] < begin ? run->begin[i] : begin;
        end = run->end[i] > end ? run->end[i] : end;
    }
    if (seconds && !rc)
        *seconds = (double)(end - begin) * 1e-9;
    return rc;
}

/* ---- by the worker's thread ---- */

int ranks_each(struct ranks *r, ranks_do what, void *arg, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < r->world->n && !rc; i++) {
        rc = gpu_turn_to(r->world->gpu[i], err);
        rc = rc ? rc : what(arg, &r->rank[i], i, err);
        if (rc && r->world->gpu[i]->lost && err)
            err_reword(err, rc, "GPU %d: %s", i, err->text);
    }
    if (world_lost(r->world))
        world_lose(r->world);
    else
        gpu_turn_to(r->world->gpu[0], NULL);
    return rc;
}

static int new_rank(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks *r = arg;
    int rc;
    if (at == 0)
        return 0;
    k->task = r->rank[0].task;
    k->task.gpu = r->world->gpu[at];
    k->task.images = NULL;
    if ((rc = images_new(&k->task.images, k->task.gpu, k->task.message, err)))
        return rc;
    return bench_new(&k->bench, k->task.gpu, err);
}

int ranks_new(struct ranks **out, struct world *w, struct task *t, struct bench *bench,
              struct err *err)
{
    struct ranks *r = mem_new(1, sizeof *r);
    *out = t->ranks = r;
    r->world = w;
    r->rank[0].task = *t;
    r->rank[0].bench = bench;
    int rc = ranks_each(r, new_rank, r, err);
    return rc ? rc : hands_new(&r->hands, w, err);
}

static int free_rank(void *arg, struct rank *k, int at, struct err *err)
{
    (void)arg, (void)err;
    if (at == 0)
        return 0;
    buffers_free(k->buffers);
    bench_free(k->bench);
    images_free(k->task.images);
    return 0;
}

void ranks_free(struct ranks *r)
{
    if (!r || world_lost(r->world))
        return;
    hands_free(r->hands);
    ranks_each(r, free_rank, NULL, NULL);
    free(r);
}

/* ---- buffers ---- */

static void link_buffers(struct ranks *r, struct buffers **list)
{
    for (int i = 0; i < r->world->n; i++)
        buffers_set_next(list[i], list[world_next(r->world, i)]);
}

struct staging {
    struct buffers **list;
    const struct msg_shape *shape;
    bool truth;
    int from;
};

static int stage(void *arg, struct rank *k, int at, struct err *err)
{
    struct staging *s = arg;
    return at < s->from ? 0
                        : buffers_new(&s->list[at], k->task.gpu, s->shape, k->task.measure->seed,
                                      s->truth, err);
}

int ranks_truth(struct ranks *r, const struct msg_shape *shape, struct buffers **out,
                struct err *err)
{
    struct staging s = {.list = out, .shape = shape, .truth = true};
    int rc = ranks_each(r, stage, &s, err);
    if (!rc)
        link_buffers(r, out);
    return rc;
}

int ranks_stage(struct ranks *r, const struct msg_shape *shape, struct buffers *first,
                struct err *err)
{
    struct buffers *list[CAP_RANKS] = {first};
    struct staging s = {.list = list, .shape = shape, .from = 1};
    int rc = 0;
    r->rank[0].buffers = NULL; /* the caller's */
    for (int i = 0; i < r->world->n; i++) {
        struct buffers *old = r->rank[i].buffers;
        r->rank[i].buffers = NULL;
        if (old && !gpu_turn_to(r->world->gpu[i], NULL))
            buffers_free(old);
    }
    rc = ranks_each(r, stage, &s, err);
    for (int i = 0; i < r->world->n; i++)
        r->rank[i].buffers = list[i];
    if (!rc)
        link_buffers(r, list);
    return rc;
}

struct settling {
    enum poison poison;
    bool flush;
};

static int restore(void *arg, struct rank *k, int at, struct err *err)
{
    const struct settling *s = arg;
    int rc = buffers_restore(k->buffers, s->poison, err);
    (void)at;
    return rc || !s->flush ? rc : bench_flush(k->bench, err);
}

static int wait_for(void *arg, struct rank *k, int at, struct err *err)
{
    (void)arg, (void)at;
    return task_wait(&k->task, err);
}

int ranks_settle(struct ranks *r, enum poison poison, bool flush, struct err *err)
{
    struct settling s = {poison, flush};
    int rc = ranks_each(r, restore, &s, err);
    return rc ? rc : ranks_each(r, wait_for, NULL, err);
}

static int refill(void *arg, struct rank *k, int at, struct err *err)
{
    (void)arg, (void)at;
    return buffers_refill(k->buffers, err);
}

int ranks_refill(struct ranks *r, struct err *err)
{
    int rc = ranks_each(r, refill, NULL, err);
    return rc ? rc : ranks_each(r, wait_for, NULL, err);
}

/* ---- runs ---- */

struct binding {
    struct ranks_run *run;
    struct buffers *const *on;
    int variant;
    uint32_t ballast;
};

static int bind(void *arg, struct rank *k, int at, struct err *err)
{
    struct binding *b = arg;
    struct buffers *on = b->on ? b->on[at] : k->buffers;
    struct plan *plan = &b->run->plan[at];
    const struct msg_shape *shape = msg_shape_of(k->task.measure, b->variant);
    int rc = plan_new(plan, &k->task, b->variant, b->run->id, on, err);
    if (!rc && b->ballast)
        rc = plan_ballast(plan, k->task.gpu, b->ballast, err);
    return rc ? rc
              : hosted_new(&b->run->hosted[at], &k->task, msg_run_find(shape, b->run->id), plan, on,
                           err);
}

int ranks_run_new(struct ranks_run **out, struct ranks *r, int variant, const char *id,
                  struct buffers *const *on, uint32_t ballast, struct err *err)
{
    struct ranks_run *run = mem_new(1, sizeof *run);
    struct binding b = {run, on, variant, ballast};
    run->ranks = r;
    snprintf(run->id, sizeof run->id, "%s", id);
    int rc = ranks_each(r, bind, &b, err);
    rc = rc ? rc : ranks_each(r, wait_for, NULL, err);
    rc = rc ? rc : ranks_run_step(run, NULL, NULL, err);
    if (rc) {
        ranks_run_free(run);
        run = NULL;
    }
    *out = run;
    return rc;
}

static int release(void *arg, struct rank *k, int at, struct err *err)
{
    struct ranks_run *run = arg;
    (void)k, (void)err;
    hosted_free(run->hosted[at]);
    plan_free(&run->plan[at]);
    return 0;
}

/* What a thread that hangs still uses is left to the end of the process. */
void ranks_run_free(struct ranks_run *run)
{
    if (!run || world_lost(run->ranks->world))
        return;
    ranks_each(run->ranks, release, run, NULL);
    free(run);
}

const struct plan *ranks_run_plan(const struct ranks_run *run, int rank)
{
    return &run->plan[rank];
}

const struct hosted *ranks_run_hosted(const struct ranks_run *run, int rank)
{
    return run->hosted[rank];
}
