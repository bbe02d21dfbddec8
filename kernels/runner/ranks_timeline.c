#include "kernels/runner/ranks_timeline.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/stats.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { STEPS = 15, STEPS_LEAST = 3, RESERVE_MS = 500, ROWS = CAP_LAUNCHES };
#define BUDGET_S 1.0   /* of the steps */
#define NO_GAP_S 1e-10 /* what rounding leaves */

/* One rank's part of a pass; seconds from when all threads began. */
struct lane {
    struct span span[ROWS];
    int launch[ROWS], n;             /* which launch each is: those that this rank does, in order */
    struct span call[CAP_STEPS + 1]; /* of its host */
};
struct step {
    struct lane lane[CAP_RANKS];
    double length;
};

struct measuring {
    struct task *task;
    struct ranks *ranks;
    const struct msg_run *run;
    struct ranks_run *ready;
    struct activity *activity;
    struct step steps[STEPS];
    int n_steps;
    char nccl[ROWS][96]; /* the kernel that NCCL chose for a collective; "" */
};

/* ---- spans ---- */

/* What of a span is covered neither by an earlier one of its kind nor by the others. */
double timeline_exposed(const struct span *spans, int n, const struct span *others, int n_others)
{
    struct span all[ROWS]; /* both are of one rank, which has no more launches */
    for (int i = 0; i < n; i++)
        all[i] = spans[i];
    for (int i = 0; i < n_others; i++)
        all[n + i] = others[i];
    double exposed = timeline_busy(all, n + n_others) - timeline_busy(others, n_others);
    return fmin(fmax(exposed, 0), timeline_busy(spans, n)); /* sums of them round otherwise */
}

static int spans_of(const struct measuring *m, const struct lane *l, bool transfers,
                    struct span *out)
{
    int n = 0;
    for (int i = 0; i < l->n; i++)
        if ((m->run->launches[l->launch[i]].transfer.kind != TRANSFER_NONE) == transfers)
            out[n++] = l->span[i];
    return n;
}

/* ---- records ---- */

static double since(uint64_t from, uint64_t to)
{
    return to >= from ? (double)(to - from) * 1e-9 : -(double)(from - to) * 1e-9;
}

static bool does(int only, int rank) { return !only || only - 1 == rank; }

/* The records of one device, in the order in which its thread asked for them. */
struct records {
    const struct activity_kernel *all;
    int n, at;
    uint32_t device;
};

/* The runner's own kernels wake the threads. */
static bool is_own(const struct activity_kernel *k) { return !strncmp(k->name, "wd_", 3); }

static const struct activity_kernel *next_record(struct records *r)
{
    while (r->at < r->n) {
        const struct activity_kernel *k = &r->all[r->at++];
        if (k->device == r->device && !is_own(k))
            return k;
    }
    return NULL;
}

static bool is_of(const struct activity_kernel *k, const struct msg_launch *l)
{
    if (!k || k->end < k->start || !k->start)
        return false;
    if (l->transfer.kind == TRANSFER_PEER_COPY)
        return k->copy;
    return !k->copy &&
           (l->transfer.kind ? strstr(k->name, "nccl") != NULL : !strcmp(k->name, l->kernel));
}

static int unexpected(const struct activity_kernel *k, int rank, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "CUPTI recorded something else than the step on GPU %d: %s",
                   rank,
                   !k        ? "nothing more"
                   : k->copy ? "a copy"
                             : k->name);
}

/* _Z41ncclDevKernel_AllReduce_Sum_f32_RING_LL24nccl...: the number before the name is its length.
 */
static void keep_name(char out[96], const char *mangled)
{
    const char *from = strstr(mangled, "nccl"), *digits = from;
    while (digits > mangled && isdigit((unsigned char)digits[-1]))
        digits--;
    int n = digits < from ? atoi(digits) : (int)strcspn(from, "(<");
    snprintf(out, 96, "%.*s", n, from);
}

/* A copy through the host is two records: down on the rank that sends, up on the one that receives.
 */
static int records_of(const struct msg_launch *l, int rank, int ranks)
{
    bool sends = does(l->only, rank), receives = does(l->only, (rank + ranks - 1) % ranks);
    if (l->transfer.kind != TRANSFER_PEER_COPY)
        return sends;
    return l->transfer.through_host ? sends + receives : sends;
}

static int read_launch(struct measuring *m, struct lane *lane, int at, int rank, struct records *r,
                       uint64_t origin, struct err *err)
{
    const struct msg_launch *l = &m->run->launches[at];
    int n = records_of(l, rank, ranks_count(m->ranks));
    for (int i = 0; i < n; i++) {
        const struct activity_kernel *k = next_record(r);
        if (!is_of(k, l))
            return unexpected(k, rank, err);
        struct span *s = &lane->span[lane->n];
        s->start = i ? s->start : since(origin, k->start);
        s->end = since(origin, k->end);
        if (l->transfer.kind && !k->copy)
            keep_name(m->nccl[at], k->name);
    }
    if (n)
        lane->launch[lane->n++] = at;
    return 0;
}

/* Copies of the host's own steps are recorded too, and belong to them. */
static int skip_copy(const struct msg_step *s, int rank, struct records *r, struct err *err)
{
    if ((s->kind != HOST_COPY && s->kind != HOST_READ) || !does(s->only, rank))
        return 0;
    const struct activity_kernel *k = next_record(r);
    return k && k->copy ? 0 : unexpected(k, rank, err);
}

static int read_rank(struct measuring *m, struct lane *lane, int rank, struct records *r,
                     uint64_t origin, struct err *err)
{
    const struct hosted *h = ranks_run_hosted(m->ready, rank);
    int rc = 0;
    lane->n = 0;
    for (int i = 0; i < hosted_steps(h) && !rc; i++) {
        const struct msg_step *s = hosted_at(h, i);
        rc = s->kind == HOST_LAUNCH ? read_launch(m, lane, s->launch, rank, r, origin, err)
                                    : skip_copy(s, rank, r, err);
    }
    const struct activity_kernel *more = rc ? NULL : next_record(r);
    return more ? unexpected(more, rank, err) : rc;
}

static int read_records(struct measuring *m, struct step *s, uint64_t origin, struct err *err)
{
    const struct activity_kernel *k = NULL;
    int n = 0, rc = activity_take(m->activity, &k, &n, err);
    for (int i = 0; i < ranks_count(m->ranks) && !rc; i++) {
        struct records r = {k, n, 0, (uint32_t)i};
        rc = read_rank(m, &s->lane[i], i, &r, origin, err);
    }
    return rc;
}

/* ---- steps ---- */

/* Restores and the flush leave records too, which nobody wants. */
static int one_step(struct measuring *m, struct err *err)
{
    static struct hosted_call calls[CAP_RANKS][CAP_STEPS + 1];
    struct step *s = &m->steps[m->n_steps];
    const struct activity_kernel *k;
    uint64_t origin = 0;
    int rc, n;
    if ((rc = ranks_settle(m->ranks, POISON_NAN, true, err)) ||
        (rc = activity_take(m->activity, &k, &n, err)) ||
        (rc = activity_now(m->activity, &origin, err)))
        return rc;
    uint64_t begin = hosted_now();
    if ((rc = ranks_run_step(m->ready, NULL, calls, err)) || (rc = read_records(m, s, origin, err)))
        return rc;
    double first = INFINITY;
    s->length = 0;
    for (int i = 0; i < ranks_count(m->ranks); i++)
        first = fmin(first, since(begin, calls[i][0].start));
    for (int i = 0; i < ranks_count(m->ranks); i++) {
        struct lane *l = &s->lane[i];
        int steps = hosted_steps(ranks_run_hosted(m->ready, i)) + 1;
        for (int c = 0; c < steps; c++)
            l->call[c] = (struct span){since(begin, calls[i][c].start) - first,
                                       since(begin, calls[i][c].end) - first};
        for (int c = 0; c < l->n; c++)
            l->span[c] = (struct span){l->span[c].start - first, l->span[c].end - first};
        s->length = fmax(s->length, l->call[steps - 1].end);
    }
    m->n_steps++;
    return 0;
}

static int all_steps(struct measuring *m, struct err *err)
{
    int64_t last = m->task->until - RESERVE_MS;
    double spent = 0;
    int rc = 0;
    while (m->n_steps < STEPS && !rc) {
        if (m->n_steps >= STEPS_LEAST && m->n_steps % 2 &&
            (spent > BUDGET_S || os_monotonic_ms() >= last))
            break;
        task_progress(m->task, "timeline", m->n_steps, STEPS, "step %d of %d", m->n_steps + 1,
                      STEPS);
        if (!(rc = one_step(m, err)))
            spent += m->steps[m->n_steps - 1].length;
    }
    return rc;
}

/* One step goes by before: CUPTI allocates behind its first records. */
static int by_records(struct measuring *m, struct err *err)
{
    int rc = activity_start(m->activity, true, err);
    if (!rc && !(rc = ranks_run_step(m->ready, NULL, NULL, err)))
        rc = all_steps(m, err);
    activity_stop(m->activity);
    return rc;
}

/* ---- the part ---- */

static int by_length(const void *a, const void *b)
{
    double x = ((const struct step *)a)->length, y = ((const struct step *)b)->length;
    return (x > y) - (x < y);
}

/* Rows of rank 0, then of rank 1 and so on; their names in that order. */
static void add_rows(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    int n = 0, at = 0;
    for (int i = 0; i < ranks_count(m->ranks); i++)
        n += s->lane[i].n;
    double *kernel = part_series(p, "kernel", n), *stream = part_series(p, "stream", n);
    double *start = part_series(p, "start", n), *end = part_series(p, "end", n);
    double *rank = part_series(p, "rank", n);
    for (int i = 0; i < ranks_count(m->ranks); i++)
        for (int k = 0; k < s->lane[i].n; k++, at++) {
            const struct lane *l = &s->lane[i];
            kernel[at] = l->launch[k];
            stream[at] = m->run->launches[l->launch[k]].stream;
            start[at] = l->span[k].start;
            end[at] = l->span[k].end;
            rank[at] = i;
            part_line(p, "%s", m->run->launches[l->launch[k]].kernel);
        }
}

/* What each host was at, rank by rank: its steps, and the wait for the device behind them. */
static void add_calls(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    int ranks = ranks_count(m->ranks), each = hosted_steps(ranks_run_hosted(m->ready, 0)) + 1,
        at = 0;
    double *host = part_series(p, "host", ranks * each);
    double *start = part_series(p, "host_start", ranks * each);
    double *end = part_series(p, "host_end", ranks * each);
    double *rank = part_series(p, "host_rank", ranks * each), most = 0;
    for (int i = 0; i < ranks; i++) {
        const struct hosted *h = ranks_run_hosted(m->ready, i);
        double api = 0;
        for (int k = 0; k < each; k++, at++) {
            const struct msg_step *step = k + 1 < each ? hosted_at(h, k) : NULL;
            host[at] = k;
            start[at] = s->lane[i].call[k].start;
            end[at] = s->lane[i].call[k].end;
            rank[at] = i;
            api += step && step->kind == HOST_WAIT ? 0 : end[at] - start[at];
            part_line(p, "%s", step_name(step ? step->kind : HOST_SYNC));
        }
        most = fmax(most, api);
    }
    part_value(p, "api_time", most);
}

static void add_longest(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    double most = -1;
    int longest = 0;
    for (int i = 0; i < ranks_count(m->ranks); i++)
        for (int k = 0; k < s->lane[i].n; k++) {
            const struct span *span = &s->lane[i].span[k];
            bool kernel = !m->run->launches[s->lane[i].launch[k]].transfer.kind;
            if (!kernel || span->end - span->start <= most)
                continue;
            most = span->end - span->start;
            longest = s->lane[i].launch[k];
        }
    part_value(p, "longest_kernel", longest + 1);
    if (s->length > 0 && most >= 0)
        part_value(p, "longest_share", most / s->length);
}

/* Each of the GPU where it is longest. */
static void add_times(const struct measuring *m, const struct step *s, struct msg_part *p)
{
    double busy = 0, gap = 0, comm = 0, least = INFINITY, exposed = 0;
    for (int i = 0; i < ranks_count(m->ranks); i++) {
        const struct lane *l = &s->lane[i];
        struct span transfers[ROWS], kernels[ROWS];
        int n = spans_of(m, l, true, transfers), k = spans_of(m, l, false, kernels);
        busy = fmax(busy, timeline_busy(l->span, l->n));
        gap = fmax(gap, timeline_gap(l->span, l->n, s->length));
        comm = fmax(comm, timeline_busy(transfers, n));
        least = fmin(least, timeline_busy(transfers, n));
        exposed = fmax(exposed, timeline_exposed(transfers, n, kernels, k));
    }
    part_value(p, "busy_time", busy);
    part_value(p, "gap_time", s->length - busy > NO_GAP_S ? s->length - busy : 0);
    part_value(p, "longest_gap", gap);
    part_value(p, "comm_time", comm);
    part_value(p, "comm_skew", comm - least);
    part_value(p, "exposed_time", exposed);
}

static void add_notes(const struct measuring *m, struct msg_part *p)
{
    part_note(p, "cold");
    part_note(p, "on %d GPUs, from when their hosts have met until nothing runs",
              ranks_count(m->ranks));
    part_note(p, "the median of %d steps", m->n_steps);
    part_note(p, "by CUPTI");
    for (int i = 0; i < m->run->n_launches; i++)
        if (*m->nccl[i] && (i == 0 || strcmp(m->nccl[i], m->nccl[i - 1]) != 0))
            part_note(p, "launch %d, %s: %s", i + 1, m->run->launches[i].kernel, m->nccl[i]);
}

static void fill(struct measuring *m, struct msg_part *p)
{
    double lengths[STEPS];
    qsort(m->steps, (size_t)m->n_steps, sizeof *m->steps, by_length);
    for (int i = 0; i < m->n_steps; i++)
        lengths[i] = m->steps[i].length;
    const struct step *s = &m->steps[m->n_steps / 2];
    struct interval spread = stats_interval(lengths, m->n_steps);
    part_statistic(p, "step_time", s->length, fmin(spread.low, s->length),
                   fmax(spread.high, s->length), m->n_steps);
    add_times(m, s, p);
    add_longest(m, s, p);
    add_rows(m, s, p);
    add_calls(m, s, p);
    add_notes(m, p);
}

static bool is_refusal(const struct task *t, int rc)
{
    return !t->gpu->lost &&
           (rc == ERR_PERMISSION || rc == ERR_UNSUPPORTED || rc == ERR_BUSY || rc == ERR_INTERNAL);
}

static void refuse(struct task *t, const struct err *why, struct msg_part *p)
{
    static const char *const names[] = {"step_time", "busy_time",    "gap_time",  "longest_gap",
                                        "comm_time", "exposed_time", "comm_skew", "api_time"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        part_missing(p, names[i], "unsupported: several GPUs share no clock without CUPTI (%.300s)",
                     why->text);
    task_refuse(t, why);
}

/* What CUPTI could not do concerns the figures alone; what a rank did ends the request. */
static int fill_by_records(struct measuring *m, struct msg_part *p, struct err *err)
{
    struct err why = {.code = 0};
    int rc = by_records(m, &why);
    if (!rc)
        fill(m, p);
    else if (is_refusal(m->task, rc))
        refuse(m->task, &why, p);
    else
        return err_copy(err, &why);
    return 0;
}

static int measure_run(struct measuring *m, struct timeline *tl, const struct msg_item *item,
                       const char *id, struct err *err)
{
    struct err why = {.code = 0};
    struct msg_part *p = task_part_new(m->task, PROBE_TIMELINE, id, item->variant);
    snprintf(m->task->where, sizeof m->task->where, "timeline of %s", id);
    m->run = msg_run_find(msg_shape_of(m->task->measure, item->variant), id);
    m->activity = timeline_activity(tl, &why);
    int rc = ranks_run_new(&m->ready, m->ranks, item->variant, id, NULL, 0, err);
    if (!rc && m->activity)
        rc = fill_by_records(m, p, err);
    else if (!rc)
        refuse(m->task, &why, p);
    ranks_run_free(m->ready);
    if (!rc)
        return task_part_send(m->task, p, err);
    task_part_free(p);
    return rc;
}

int ranks_timeline_measure(struct timeline *tl, struct task *t, const struct msg_item *item,
                           struct err *err)
{
    int rc = 0;
    for (int i = 0; i < item->n_runs && !rc; i++) {
        struct measuring *m = mem_new(1, sizeof *m);
        *m = (struct measuring){.task = t, .ranks = t->ranks};
        rc = measure_run(m, tl, item, item->runs[i], err);
        free(m);
    }
    return rc;
}
