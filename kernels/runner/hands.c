#include "kernels/runner/hands.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    LOOK_MS = 20,     /* how often the worker's thread looks at the deadline */
    PATIENCE_MS = 300 /* for the others, once a rank has failed: they may wait for it for ever */
};

/* It waits for something to do, does it, says so. */
struct hand {
    struct hands *hands;
    pthread_t thread;
    bool there, finished; /* finished: this round */
    int at, rc;
    struct err err;
};

struct hands {
    struct world *world;
    struct hand hand[CAP_RANKS];
    pthread_mutex_t lock;
    pthread_cond_t go, done;
    hands_do what;
    void *arg;
    int round, left; /* left: hands that have not finished this round */
    int failed;      /* the first rank that did; -1 none */
    bool leaving;
};

/* ---- the threads ---- */

static int do_part(struct hand *h, struct err *err)
{
    struct gpu *g = h->hands->world->gpu[h->at];
    int rc = gpu_turn_to(g, err);
    return rc ? rc : h->hands->what(h->hands->arg, g, err);
}

/* The first failure is the one that counts: others only follow from it. */
static void finish(struct hand *h)
{
    struct hands *all = h->hands;
    if (h->rc && all->failed < 0)
        all->failed = h->at;
    if (h->rc)
        world_break(all->world);
    h->finished = true;
    all->left--;
    pthread_cond_signal(&all->done);
}

static void *work(void *arg)
{
    struct hand *h = arg;
    struct hands *all = h->hands;
    int seen = 0;
    pthread_mutex_lock(&all->lock);
    for (;;) {
        while (all->round == seen && !all->leaving)
            pthread_cond_wait(&all->go, &all->lock);
        if (all->leaving)
            break;
        seen = all->round;
        pthread_mutex_unlock(&all->lock);
        h->err = (struct err){.code = 0};
        h->rc = do_part(h, &h->err);
        pthread_mutex_lock(&all->lock);
        finish(h);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* ---- the worker's thread ---- */

/* One look at those that work; true: all have finished. */
static bool wait_a_little(struct hands *h)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (h->left)
        pthread_cond_timedwait(&h->done, &h->lock, &until);
    return h->left == 0;
}

/* False: one of them hangs, by itself or because another failed. */
static bool wait_for_all(struct hands *h, int64_t until)
{
    int64_t patience = 0;
    bool all = false;
    pthread_mutex_lock(&h->lock);
    while (!(all = wait_a_little(h))) {
        int64_t now = os_monotonic_ms();
        if (h->failed >= 0 && !patience)
            patience = now + PATIENCE_MS;
        if (now >= until || (patience && now >= patience))
            break;
    }
    pthread_mutex_unlock(&h->lock);
    return all;
}

/* Did a rank fail as the first did? The driver tells an illegal address on every GPU of a process
 * whose peers reach each other's memory: on two H200, of a fault on GPU 1, three times in four on
 * GPU 0 first. */
static bool failed_alike(const struct hand *h, const struct err *first)
{
    return h->finished && h->rc && h->err.code == ERR_FAULT && first->code == ERR_FAULT;
}

static int tell_failure(struct hands *h, struct err *err)
{
    const struct err *why = &h->hand[h->failed].err;
    char who[128];
    int n = snprintf(who, sizeof who, "GPU %d", h->failed);
    pthread_mutex_lock(&h->lock);
    for (int i = 0; i < h->world->n; i++)
        if (i != h->failed && failed_alike(&h->hand[i], why))
            n += snprintf(who + n, sizeof who - (size_t)n, " or GPU %d", i);
    pthread_mutex_unlock(&h->lock);
    err_copy(err, why);
    return err_reword(err, why->code, "%s: %s", who, why->text);
}

static int tell_hang(struct hands *h, const char *name, struct err *err)
{
    pthread_mutex_lock(&h->lock);
    int left = h->left;
    pthread_mutex_unlock(&h->lock);
    world_break(h->world);
    err_set(err, ERR_TIMEOUT,
            "%s was still at work on %d of %d GPUs at the deadline: a collective or a peer copy "
            "waits for every rank",
            name, left, h->world->n);
    err_advise(err, "cuCtxSynchronize",
               "see that all ranks reach each collective, with equal counts, in one order");
    return ERR_TIMEOUT;
}

static void begin(struct hands *h, hands_do what, void *arg)
{
    world_begin(h->world);
    pthread_mutex_lock(&h->lock);
    h->what = what;
    h->arg = arg;
    h->left = h->world->n;
    for (int i = 0; i < h->world->n; i++)
        h->hand[i].finished = false;
    h->failed = -1;
    h->round++;
    pthread_cond_broadcast(&h->go);
    pthread_mutex_unlock(&h->lock);
}

int hands_all(struct hands *h, const char *name, hands_do what, void *arg, int64_t until,
              struct err *err)
{
    begin(h, what, arg);
    bool all = wait_for_all(h, until);
    if (all && h->failed < 0)
        return 0;
    world_lose(h->world); /* communicators are of no use behind a failure */
    return h->failed >= 0 ? tell_failure(h, err) : tell_hang(h, name, err);
}

/* ---- opening, closing ---- */

int hands_new(struct hands **out, struct world *w, struct err *err)
{
    struct hands *h = mem_new(1, sizeof *h);
    *out = h;
    h->world = w;
    h->failed = -1;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->go, NULL);
    pthread_cond_init(&h->done, NULL);
    for (int i = 0; i < w->n; i++) {
        h->hand[i] = (struct hand){.hands = h, .at = i};
        if (pthread_create(&h->hand[i].thread, NULL, work, &h->hand[i]) != 0)
            return err_set(err, ERR_INTERNAL, "cannot make a thread for GPU %d", i);
        h->hand[i].there = true;
    }
    return 0;
}

void hands_free(struct hands *h)
{
    if (!h || world_lost(h->world))
        return;
    pthread_mutex_lock(&h->lock);
    h->leaving = true;
    pthread_cond_broadcast(&h->go);
    pthread_mutex_unlock(&h->lock);
    for (int i = 0; i < h->world->n; i++)
        if (h->hand[i].there)
            pthread_join(h->hand[i].thread, NULL);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->go);
    pthread_cond_destroy(&h->done);
    free(h);
}
