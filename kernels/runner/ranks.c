#include "kernels/runner/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    WAKING = 4,
    LOOK_MS = 20,     /* how often the worker's thread looks at the deadline */
    PATIENCE_MS = 300 /* for the others, once a rank has failed: they may wait for it for ever */
};

/* A rank's thread: it waits for a run, goes through it, says so. */
struct hand {
    struct ranks *ranks;
    pthread_t thread;
    bool there;
    int at, rc;
    struct err err;
    struct hosted_call *calls; /* may be NULL */
    uint64_t begin, end;       /* ns */
};

struct ranks {
    struct world *world;
    struct rank rank[CAP_RANKS];
    struct hand hand[CAP_RANKS];
    pthread_mutex_t lock;
    pthread_cond_t go, done;
    struct ranks_run *run; /* the one at work */
    int round, left;       /* left: hands that have not finished this round */
    int failed;            /* the first rank that did; -1 none */
    bool leaving;
};

struct ranks_run {
    struct ranks *ranks;
    char id[16];
    struct plan plan[CAP_RANKS];
    struct hosted *hosted[CAP_RANKS];
};

int ranks_count(const struct ranks *r) { return r->world->n; }

struct rank *ranks_at(struct ranks *r, int rank) { return &r->rank[rank]; }

/* ---- threads ---- */

/* A thread that has slept launches several times slower at first: on two H200 a lone collective
 * took 58 us instead of 20. */
static int wake(struct gpu *g, struct err *err)
{
    int rc = gpu_turn_to(g, err);
    for (int i = 0; i < WAKING && !rc; i++)
        if (!(rc = gpu_launch(g, OWN_EMPTY, 1, 32, NULL, err)))
            rc = GPU(g, err, cuStreamSynchronize, g->stream);
    return rc;
}

static int go_through(struct hand *h, struct ranks_run *run, struct err *err)
{
    struct world *w = h->ranks->world;
    int rc = wake(w->gpu[h->at], err);
    if (rc || (rc = world_meet(w, err)))
        return rc;
    h->begin = hosted_now();
    rc = hosted_step(run->hosted[h->at], h->calls, err);
    h->end = hosted_now();
    return rc;
}

/* The first failure is the one that counts: others only follow from it. */
static void finish(struct hand *h)
{
    struct ranks *r = h->ranks;
    if (h->rc && r->failed < 0)
        r->failed = h->at;
    if (h->rc)
        world_break(r->world);
    r->left--;
    pthread_cond_signal(&r->done);
}

static void *work(void *arg)
{
    struct hand *h = arg;
    struct ranks *r = h->ranks;
    int seen = 0;
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (r->round == seen && !r->leaving)
            pthread_cond_wait(&r->go, &r->lock);
        if (r->leaving)
            break;
        seen = r->round;
        pthread_mutex_unlock(&r->lock);
        h->err = (struct err){.code = 0};
        h->rc = go_through(h, r->run, &h->err);
        pthread_mutex_lock(&r->lock);
        finish(h);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* One look of the worker's thread at those that work; true: all have finished. */
static bool wait_a_little(struct ranks *r)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (r->left)
        pthread_cond_timedwait(&r->done, &r->lock, &until);
    return r->left == 0;
}

/* False: one of them hangs, by itself or because another failed. */
static bool wait_for_all(struct ranks *r, int64_t until)
{
    int64_t patience = 0;
    bool all = false;
    pthread_mutex_lock(&r->lock);
    while (!(all = wait_a_little(r))) {
        int64_t now = os_monotonic_ms();
        if (r->failed >= 0 && !patience)
            patience = now + PATIENCE_MS;
        if (now >= until || (patience && now >= patience))
            break;
    }
    pthread_mutex_unlock(&r->lock);
    return all;
}

/* ---- what went wrong ---- */

static void lose(struct ranks *r)
{
    for (int i = 0; i < r->world->n; i++)
        r->world->gpu[i]->lost = true;
}

static int tell_failure(int rank, const struct err *why, struct err *err)
{
    err_copy(err, why);
    return err_reword(err, why->code, "GPU %d: %s", rank, why->text);
}

static int hands_at_work(struct ranks *r)
{
    pthread_mutex_lock(&r->lock);
    int left = r->left;
    pthread_mutex_unlock(&r->lock);
    return left;
}

static int tell_hang(struct ranks *r, struct ranks_run *run, struct err *err)
{
    int n = r->world->n;
    world_break(r->world);
    err_set(
        err, ERR_TIMEOUT,
        "run %s was still at work on %d of %d GPUs at the deadline: a collective or a peer copy "
        "waits for every rank",
        run->id, hands_at_work(r), n);
    err_advise(err, "cuCtxSynchronize",
               "see that all ranks reach each collective, with equal counts, in one order");
    return ERR_TIMEOUT;
}

int ranks_run_step(struct ranks_run *run, double *seconds,
                   struct hosted_call (*calls)[CAP_STEPS + 1], struct err *err)
{
    struct ranks *r = run->ranks;
    int n = r->world->n;
    uint64_t begin = 0, end = 0;
    world_begin(r->world);
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < n; i++)
        r->hand[i].calls = calls ? calls[i] : NULL;
    r->run = run;
    r->left = n;
    r->failed = -1;
    r->round++;
    pthread_cond_broadcast(&r->go);
    pthread_mutex_unlock(&r->lock);
    if (!wait_for_all(r, r->rank[0].task.until)) {
        lose(r);
        return r->failed >= 0 ? tell_failure(r->failed, &r->hand[r->failed].err, err)
                              : tell_hang(r, run, err);
    }
    if (r->failed >= 0) {
        lose(r); /* communicators are of no use behind a failure */
        return tell_failure(r->failed, &r->hand[r->failed].err, err);
    }
    for (int i = 0; i < n; i++) {
        begin = i == 0 || r->hand[i].begin < begin ? r->hand[i].begin : begin;
        end = r->hand[i].end > end ? r->hand[i].end : end;
    }
    if (seconds)
        *seconds = (double)(end - begin) * 1e-9;
    return 0;
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
        lose(r);
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

static int new_hands(struct ranks *r, struct err *err)
{
    for (int i = 0; i < r->world->n; i++) {
        struct hand *h = &r->hand[i];
        *h = (struct hand){.ranks = r, .at = i};
        if (pthread_create(&h->thread, NULL, work, h) != 0)
            return err_set(err, ERR_INTERNAL, "cannot make a thread for GPU %d", i);
        h->there = true;
    }
    return 0;
}

int ranks_new(struct ranks **out, struct world *w, struct task *t, struct bench *bench,
              struct err *err)
{
    struct ranks *r = mem_new(1, sizeof *r);
    *out = t->ranks = r;
    r->world = w;
    r->failed = -1;
    r->rank[0].task = *t;
    r->rank[0].bench = bench;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->go, NULL);
    pthread_cond_init(&r->done, NULL);
    int rc = ranks_each(r, new_rank, r, err);
    return rc ? rc : new_hands(r, err);
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

/* A thread that hangs is left behind: the process ends soon. */
void ranks_free(struct ranks *r)
{
    if (!r || world_lost(r->world))
        return;
    pthread_mutex_lock(&r->lock);
    r->leaving = true;
    pthread_cond_broadcast(&r->go);
    pthread_mutex_unlock(&r->lock);
    for (int i = 0; i < r->world->n; i++)
        if (r->hand[i].there)
            pthread_join(r->hand[i].thread, NULL);
    ranks_each(r, free_rank, NULL, NULL);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->go);
    pthread_cond_destroy(&r->done);
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
