/* Everything is timed alike, as nccl-tests and any bare loop would: all ranks meet, each enqueues
 * as many pieces of work as fill a window, one behind the other, and waits for them. A window's
 * time is from the first that began until the last that ended, by the host's clock; nothing else,
 * neither an event nor a wait for another stream, is in it. The median of several windows counts.
 * */
#include "kernels/runner/links.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/runner/collective.h"
#include "kernels/runner/hands.h"
#include "kernels/runner/hosted.h"
#include "kernels/runner/links_fit.h"
#include "kernels/runner/origin.h"
#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    WINDOWS = 5,
    PIECES_MOST = 256,    /* a stream takes some hundreds before it makes the host wait */
    TRIAL_MS = 10000,     /* what nothing of this takes, unless it hangs */
    SMALL = 16,           /* bytes: a copy that is nothing but latency */
    SHARE_OF_MEMORY = 64, /* of the free memory, for each of two buffers */
    SUM_LEAST = 1 << 10,
    SUM_GROWS = 4,
};
#define WINDOW_S 0.01
#define BYTES_MOST (256ull << 20)
#define STAGED_MOST (64ull << 20)

struct field {
    struct world *world;
    struct hands *hands;
    struct task *task;
    struct msg_links *out;
    uint64_t bytes; /* of each buffer */
    cu_ptr from[CAP_RANKS], to[CAP_RANKS];
    void *pinned[CAP_RANKS];
    cu_stream second[CAP_RANKS]; /* for copies the other way at the same time */
    int done, of;                /* trials, for progress */
};

struct trial;
typedef int (*piece)(const struct trial *t, struct gpu *g, struct err *err);

/* What is timed. */
struct trial {
    struct field *field;
    char name[64];
    piece enqueue; /* a rank's part of one piece */
    int from, to;  /* ranks; of the host's copies and of all-reduces not in use */
    bool down, up; /* of the host's copies: from and to the device */
    bool both;
    uint64_t bytes;
    int pieces, windows;
    uint64_t begin[WINDOWS + 1][CAP_RANKS], end[WINDOWS + 1][CAP_RANKS]; /* ns */
};

/* ---- pieces ---- */

static bool sends(const struct trial *t, int rank)
{
    return rank == t->from || (t->both && rank == t->to);
}

static bool receives(const struct trial *t, int rank)
{
    return rank == t->to || (t->both && rank == t->from);
}

static int other(const struct trial *t, int rank)
{
    return rank == t->from ? t->to : t->from;
}

static int copy_direct(const struct trial *t, struct gpu *g, struct err *err)
{
    const struct field *f = t->field;
    if (!sends(t, g->rank))
        return 0;
    struct gpu *there = f->world->gpu[other(t, g->rank)];
    return GPU(g, err, cuMemcpyPeerAsync, f->to[there->rank], there->ctx, f->from[g->rank], g->ctx,
               t->bytes, g->stream);
}

static int copy_down(const struct trial *t, struct gpu *g, cu_stream stream, struct err *err)
{
    const struct field *f = t->field;
    return GPU(g, err, cuMemcpyDtoHAsync_v2, f->pinned[g->rank], f->from[g->rank], t->bytes,
               stream);
}

static int copy_up(const struct trial *t, struct gpu *g, int pinned_of, cu_stream stream,
                   struct err *err)
{
    const struct field *f = t->field;
    return GPU(g, err, cuMemcpyHtoDAsync_v2, f->to[g->rank], f->pinned[pinned_of], t->bytes,
               stream);
}

/* As a step of a run does it (transfers.c): down, a wait, up by the one that receives. */
static int copy_staged(const struct trial *t, struct gpu *g, struct err *err)
{
    int rc = sends(t, g->rank) ? copy_down(t, g, g->stream, err) : 0;
    if (rc || (rc = GPU(g, err, cuStreamSynchronize, g->stream)) ||
        (rc = world_meet(g->world, err)))
        return rc;
    if (receives(t, g->rank))
        rc = copy_up(t, g, other(t, g->rank), g->stream, err);
    if (rc || (rc = GPU(g, err, cuStreamSynchronize, g->stream)))
        return rc;
    return world_meet(g->world, err);
}

static int copy_host(const struct trial *t, struct gpu *g, struct err *err)
{
    int rc = 0;
    if (g->rank != t->from)
        return 0;
    if (t->up)
        rc = copy_up(t, g, g->rank, g->stream, err);
    if (t->down && !rc)
        rc = copy_down(t, g, t->field->second[g->rank], err);
    return rc;
}

static int sum(const struct trial *t, struct gpu *g, struct err *err)
{
    const struct field *f = t->field;
    cu_ptr at = f->from[g->rank]; /* in place, as gradients are */
    struct collective c = {TRANSFER_ALL_REDUCE, at, at, t->bytes / 4, T_F32};
    return collective_enqueue(&c, g, g->stream, err);
}

/* ---- windows ---- */

static int go_through(void *arg, struct gpu *g, struct err *err)
{
    struct trial *t = arg;
    int rc = 0;
    for (int w = 0; w < t->windows && !rc; w++) {
        if ((rc = world_meet(g->world, err)))
            return rc;
        t->begin[w][g->rank] = hosted_now();
        for (int i = 0; i < t->pieces && !rc; i++)
            rc = t->enqueue(t, g, err);
        rc = rc ? rc : GPU(g, err, cuCtxSynchronize);
        t->end[w][g->rank] = hosted_now();
    }
    return rc;
}

static double window(const struct trial *t, int w)
{
    uint64_t begin = t->begin[w][0], end = t->end[w][0];
    for (int i = 1; i < t->field->world->n; i++) {
        begin = t->begin[w][i] < begin ? t->begin[w][i] : begin;
        end = t->end[w][i] > end ? t->end[w][i] : end;
    }
    return (double)(end - begin) * 1e-9;
}

/* The first window only warms up. */
static int time_windows(struct trial *t, int pieces, int windows, double *seconds, struct err *err)
{
    struct field *f = t->field;
    double each[WINDOWS];
    int64_t limit = os_monotonic_ms() + TRIAL_MS;
    int rc = task_check(f->task, err);
    if (rc)
        return rc;
    snprintf(f->task->where, sizeof f->task->where, "%s", t->name);
    t->pieces = pieces;
    t->windows = windows + 1;
    rc = hands_all(f->hands, t->name, go_through, t,
                   limit < f->task->until ? limit : f->task->until, err);
    for (int w = 0; w < windows && !rc; w++)
        each[w] = window(t, w + 1) / pieces;
    if (!rc)
        *seconds = stats_interval(each, windows).median;
    return rc;
}

/* Seconds of one piece, when enough of them are in a row. */
static int time_trial(struct trial *t, double *seconds, struct err *err)
{
    struct field *f = t->field;
    double one = 0;
    task_progress(f->task, "links", ++f->done, f->of, "%s", t->name);
    int rc = time_windows(t, 1, 1, &one, err);
    double fit = ceil(WINDOW_S / one);
    int pieces = fit < 1 ? 1 : fit > PIECES_MOST ? PIECES_MOST : (int)fit;
    return rc ? rc : time_windows(t, pieces, WINDOWS, seconds, err);
}

/* ---- between two GPUs ---- */

static int time_copy(struct trial *t, uint64_t bytes, double *out, struct err *err)
{
    t->bytes = bytes;
    return time_trial(t, out, err);
}

/* `first` is the way back of the same two GPUs where it was measured before. */
static int time_way(struct trial *t, struct link_way *out, const struct link_way *first,
                    struct err *err)
{
    bool known = first && first->one_way > 0;
    uint64_t bytes = t->enqueue == copy_staged && t->field->bytes > STAGED_MOST ? STAGED_MOST
                                                                               : t->field->bytes;
    double one = 0, both = 0;
    int rc = time_copy(t, bytes, &one, err);
    rc = rc ? rc : time_copy(t, SMALL, &out->latency, err);
    if (!rc && !known) {
        t->both = true;
        rc = time_copy(t, bytes, &both, err);
        t->both = false;
    }
    if (rc)
        return rc;
    out->one_way = (double)bytes / one;
    out->both_ways = known ? first->both_ways : (double)bytes / both;
    return 0;
}

static const struct link_pair *reverse_of(const struct msg_links *l, const struct link_pair *p)
{
    for (int i = 0; i < l->n_pairs; i++)
        if (l->pairs[i].from == p->to && l->pairs[i].to == p->from && &l->pairs[i] != p)
            return &l->pairs[i];
    return NULL;
}

static void keep_reason(char *out, size_t size, const struct err *why)
{
    char *text = text_format("%s%s%s", why->text, why->remedy ? "; " : "",
                             why->remedy ? why->remedy : "");
    if (!*out)
        text_copy_clean(out, size, text);
    free(text);
}

/* A refusal is kept; what lost the context is an error. */
static int open_pair(struct field *f, const struct link_pair *p, bool *direct, struct err *err)
{
    struct err why = {.code = 0};
    int rc = world_open_peer(f->world, p->from, p->to, &why);
    rc = rc ? rc : world_open_peer(f->world, p->to, p->from, &why);
    *direct = !rc;
    if (world_lost(f->world))
        return err_copy(err, &why);
    if (rc)
        keep_reason(f->out->no_peer, sizeof f->out->no_peer, &why);
    return 0;
}

static int time_pair(struct field *f, int from, int to, struct err *err)
{
    struct link_pair *p = &f->out->pairs[f->out->n_pairs];
    *p = (struct link_pair){.from = from, .to = to};
    const struct link_pair *before = reverse_of(f->out, p);
    struct trial t = {.field = f, .from = from, .to = to, .enqueue = copy_direct};
    bool direct;
    int rc = open_pair(f, p, &direct, err);
    snprintf(t.name, sizeof t.name, "the peer copy from GPU %d to GPU %d", from, to);
    if (direct && !rc)
        rc = time_way(&t, &p->direct, before ? &before->direct : NULL, err);
    t.enqueue = copy_staged;
    snprintf(t.name, sizeof t.name, "the staged copy from GPU %d to GPU %d", from, to);
    if (!rc)
        rc = time_way(&t, &p->staged, before ? &before->staged : NULL, err);
    f->out->n_pairs++;
    return rc;
}

static int time_pairs(struct field *f, struct err *err)
{
    int n = f->world->n, rc = 0;
    for (int from = 0; from < n && !rc; from++)
        for (int to = 0; to < n && !rc; to++)
            if (from != to)
                rc = time_pair(f, from, to, err);
    return rc;
}

/* ---- a GPU and its host ---- */

static int time_host(struct field *f, int rank, struct err *err)
{
    struct link_host *h = &f->out->hosts[rank];
    struct trial t = {.field = f, .from = rank, .enqueue = copy_host};
    uint64_t bytes = f->bytes > STAGED_MOST ? STAGED_MOST : f->bytes;
    double up = 0, down = 0, both = 0;
    int rc;
    snprintf(t.name, sizeof t.name, "the copy between GPU %d and pinned memory", rank);
    t.up = true;
    if ((rc = time_copy(&t, bytes, &up, err)) || (rc = time_copy(&t, SMALL, &h->latency, err)))
        return rc;
    t.down = true;
    if ((rc = time_copy(&t, bytes, &both, err)))
        return rc;
    t.up = false;
    if ((rc = time_copy(&t, bytes, &down, err)))
        return rc;
    h->to_device = (double)bytes / up;
    h->to_host = (double)bytes / down;
    h->both_ways = (double)bytes / both;
    return 0;
}

static int time_hosts(struct field *f, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < f->world->n && !rc; i++)
        rc = time_host(f, i, err);
    return rc;
}

/* ---- all of them ---- */

static void name_nccl(struct world *w, struct msg_links *out)
{
    int v = 0; /* 22803: 2.28.3 */
    if (w->nccl.ncclGetVersion(&v) == 0)
        snprintf(out->nccl, sizeof out->nccl, "%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
}

static int time_sums(struct field *f, struct err *err)
{
    struct link_sum *s = &f->out->all_reduce;
    int rc = 0;
    if (f->world->no_nccl.code) {
        keep_reason(f->out->no_nccl, sizeof f->out->no_nccl, &f->world->no_nccl);
        return 0;
    }
    name_nccl(f->world, f->out);
    for (uint64_t bytes = SUM_LEAST; bytes <= f->bytes && !rc; bytes *= SUM_GROWS) {
        struct trial t = {.field = f, .enqueue = sum};
        struct link_point *p = &s->points[s->n_points];
        snprintf(t.name, sizeof t.name, "the all-reduce of %llu KiB",
                 (unsigned long long)bytes >> 10);
        p->bytes = (double)bytes;
        rc = time_copy(&t, bytes, &p->seconds, err);
        s->n_points += !rc;
    }
    if (!rc)
        links_fit(s);
    return rc;
}

/* ---- opening, closing ---- */

static int open_gpu(struct field *f, struct gpu *g, struct err *err)
{
    int rc, r = g->rank;
    uint64_t staged = f->bytes > STAGED_MOST ? STAGED_MOST : f->bytes;
    if ((rc = gpu_turn_to(g, err)) || (rc = GPU(g, err, cuMemAlloc_v2, &f->from[r], f->bytes)) ||
        (rc = GPU(g, err, cuMemAlloc_v2, &f->to[r], f->bytes)) ||
        (rc = GPU(g, err, cuMemHostAlloc, &f->pinned[r], staged, CU_HOST_PORTABLE)))
        return rc;
    return GPU(g, err, cuStreamCreate, &f->second[r], CU_STREAM_NONBLOCKING);
}

/* The largest power of two that leaves room on each of them. */
static int choose_bytes(struct field *f, struct err *err)
{
    size_t room = 0, total = 0, least = BYTES_MOST * SHARE_OF_MEMORY;
    int rc = 0;
    for (int i = 0; i < f->world->n && !rc; i++) {
        struct gpu *g = f->world->gpu[i];
        rc = gpu_turn_to(g, err);
        rc = rc ? rc : GPU(g, err, cuMemGetInfo_v2, &room, &total);
        least = !rc && room < least ? room : least;
    }
    for (f->bytes = BYTES_MOST; f->bytes > least / SHARE_OF_MEMORY && f->bytes > SUM_LEAST;)
        f->bytes /= 2;
    return rc;
}

static int open_field(struct field *f, struct err *err)
{
    int n = f->world->n, rc = choose_bytes(f, err);
    for (int i = 0; i < n && !rc; i++)
        rc = open_gpu(f, f->world->gpu[i], err);
    rc = rc ? rc : gpu_turn_to(f->world->gpu[0], err);
    f->of = n * (n - 1) * 5 + n * 4;
    for (uint64_t b = SUM_LEAST; b <= f->bytes && !f->world->no_nccl.code; b *= SUM_GROWS)
        f->of++;
    return rc ? rc : hands_new(&f->hands, f->world, err);
}

/* What a thread that hangs still uses is left to the end of the process. */
static void close_field(struct field *f)
{
    if (world_lost(f->world))
        return;
    hands_free(f->hands);
    for (int i = 0; i < f->world->n; i++) {
        struct gpu *g = f->world->gpu[i];
        if (gpu_turn_to(g, NULL))
            return;
        if (f->second[i])
            GPU(g, NULL, cuStreamDestroy_v2, f->second[i]);
        if (f->pinned[i])
            GPU(g, NULL, cuMemFreeHost, f->pinned[i]);
        if (f->to[i])
            GPU(g, NULL, cuMemFree_v2, f->to[i]);
        if (f->from[i])
            GPU(g, NULL, cuMemFree_v2, f->from[i]);
    }
    gpu_turn_to(f->world->gpu[0], NULL);
}

static void say_where(struct msg_links *out, const struct world *w, const char *driver)
{
    const struct gpu_facts *f = &w->gpu[0]->facts;
    time_t now = time(NULL);
    struct tm day;
    *out = (struct msg_links){.gpus = w->n, .method = METHOD_VERSION};
    snprintf(out->gpu, sizeof out->gpu, "%s", f->name);
    snprintf(out->driver, sizeof out->driver, "%s", driver);
    origin_here(out->origin, f->uuid);
    strftime(out->measured, sizeof out->measured, "%Y-%m-%d", gmtime_r(&now, &day));
}

int links_measure(struct msg_links *out, struct world *w, struct task *t, const char *driver,
                  struct err *err)
{
    struct field f = {.world = w, .task = t, .out = out};
    int rc;
    say_where(out, w, driver);
    if (!(rc = open_field(&f, err)) && !(rc = time_pairs(&f, err)) && !(rc = time_hosts(&f, err)))
        rc = time_sums(&f, err);
    close_field(&f);
    return rc;
}
