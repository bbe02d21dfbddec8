#include "kernels/runner/world.h"

#include <sched.h>
#include <string.h>

#include "kernels/runner/fault_rows.h"

enum { SPINS = 4096 };

int world_next(const struct world *w, int rank) { return (rank + 1) % w->n; }

int world_before(const struct world *w, int rank) { return (rank + w->n - 1) % w->n; }

bool world_lost(const struct world *w)
{
    bool lost = false;
    for (int i = 0; i < w->n; i++)
        lost = lost || w->gpu[i]->lost;
    return lost;
}

void world_lose(struct world *w)
{
    for (int i = 0; i < w->n; i++)
        w->gpu[i]->lost = true;
}

/* ---- threads ---- */

/* The n-th meeting is over when n times as many have arrived as there are ranks. A rank that comes
 * counts itself in, so what it waits for is the next multiple. */
int world_meet(struct world *w, struct err *err)
{
    int until = (atomic_fetch_add(&w->arrived, 1) / w->n + 1) * w->n;
    for (int i = 0; atomic_load(&w->arrived) < until; i++) {
        if (atomic_load(&w->broken))
            return err_set(err, ERR_LOST, "another rank gave up");
        if (i > SPINS)
            sched_yield();
    }
    return 0;
}

void world_break(struct world *w) { atomic_store(&w->broken, 1); }

void world_begin(struct world *w)
{
    atomic_store(&w->arrived, 0);
    atomic_store(&w->broken, 0);
}

/* ---- opening ---- */

static bool are_equal(const struct gpu_facts *a, const struct gpu_facts *b)
{
    return !strcmp(a->name, b->name) && a->sm_count == b->sm_count &&
           a->mem_bytes == b->mem_bytes && a->clock_hz == b->clock_hz;
}

static int count_gpus(struct world *w, struct err *err)
{
    int count = 0, rc = GPU(w->gpu[0], err, cuDeviceGetCount, &count);
    if (rc || count >= w->n)
        return rc;
    err_set(err, ERR_UNSUPPORTED, "this needs %d GPUs of one host, and %d %s here", w->n, count,
            count == 1 ? "is" : "are");
    err_advise(err, "cuDeviceGetCount",
               "play it from recorded evidence; CUDA_VISIBLE_DEVICES and a container's --gpus may "
               "hide GPUs");
    return ERR_UNSUPPORTED;
}

static int open_gpus(struct world *w, struct err *err)
{
    const struct gpu_facts *first = &w->gpu[0]->facts;
    for (int i = 1; i < w->n; i++) {
        int rc = gpu_open(w->gpu[i], i, err);
        if (rc)
            return rc;
        w->gpu[i]->world = w;
        if (are_equal(first, &w->gpu[i]->facts))
            continue;
        err_set(err, ERR_UNSUPPORTED, "GPU 0 is %s and GPU %d is %s; several ranks need equal GPUs",
                first->name, i, w->gpu[i]->facts.name);
        err_advise(err, "cuDeviceGetName",
                   "CUDA_VISIBLE_DEVICES chooses equal ones; nvidia-smi -L lists them");
        return ERR_UNSUPPORTED;
    }
    return 0;
}

/* Of two ranks each is next to the other, so that a pair is asked about twice. */
int world_open_peer(struct world *w, int rank, int to, struct err *err)
{
    struct gpu *g = w->gpu[rank], *next = w->gpu[to];
    int can = 0, rc = GPU(g, err, cuDeviceCanAccessPeer, &can, g->device, next->device);
    if (rc)
        return rc;
    if (!can) {
        err_set(err, ERR_UNSUPPORTED, "GPU %d cannot reach into the memory of GPU %d", rank,
                next->rank);
        err_advise(err, "cuDeviceCanAccessPeer", SAY_PEERS);
        return ERR_UNSUPPORTED;
    }
    if ((rc = gpu_turn_to(g, err)))
        return rc;
    cu_result r = g->cu.cuCtxEnablePeerAccess(next->ctx, 0);
    return r == CU_PEER_ALREADY ? 0 : gpu_check(g, r, "cuCtxEnablePeerAccess", err);
}

int world_open(struct world *w, struct gpu *first, int n, struct err *err)
{
    w->n = n;
    w->gpu[0] = first;
    first->world = w;
    for (int i = 1; i < n; i++)
        w->gpu[i] = &w->further[i];
    int rc = count_gpus(w, err);
    rc = rc ? rc : open_gpus(w, err);
    for (int i = 0; i < n && !rc; i++)
        world_open_peer(w, i, world_next(w, i), &w->no_peer[i]);
    return rc ? rc : gpu_turn_to(first, err);
}
