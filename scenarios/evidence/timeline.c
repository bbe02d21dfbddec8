#include "scenarios/evidence/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/evidence.h"

#define NO_GAP_S 1e-10 /* what rounding leaves; the GPU's clock counts nanoseconds */

const struct msg_part *timeline_part(const struct evidence *e, const char *run)
{
    for (int i = 0; e && i < e->n_parts; i++)
        if (e->parts[i].probe == PROBE_TIMELINE && !strcmp(e->parts[i].run, run))
            return &e->parts[i];
    return NULL;
}

/* Which rank each row is of, in ascending order; all of rank 0 where nothing says so. */
static bool rank_of(const struct msg_series *s, int i, int before, int *out)
{
    double rank = s && i < s->n ? s->values[i] : 0;
    *out = rank >= before && rank < CAP_RANKS ? (int)rank : -1;
    return *out >= before;
}

static bool read_rows(struct timeline *out, const struct msg_part *p)
{
    static const char *const names[] = {"kernel", "stream", "start", "end"};
    const struct msg_series *s[4], *ranks = evidence_series(p, "rank");
    for (int k = 0; k < 4; k++)
        if (!(s[k] = evidence_series(p, names[k])) || s[k]->n != s[0]->n)
            return false;
    if (s[0]->n < 1 || s[0]->n > (ranks ? TIMELINE_ROWS : CAP_LAUNCHES))
        return false;
    for (int i = 0; i < s[0]->n; i++) {
        struct timeline_row *r = &out->row[i];
        double stream = s[1]->values[i], launch = s[0]->values[i];
        if (!(stream >= 0 && stream < CAP_STREAMS) || !(launch >= 0 && launch < CAP_LAUNCHES))
            return false;
        *r = (struct timeline_row){.launch = (int)launch,
                                   .stream = (int)stream,
                                   .start = s[2]->values[i],
                                   .end = s[3]->values[i]};
        if (!rank_of(ranks, i, i ? r[-1].rank : 0, &r->rank) || (!ranks && launch != i) ||
            !(ranks || r->start >= 0) || !(r->end >= r->start))
            return false;
        const char *kernel = i < p->n_lines ? p->lines[i] : "";
        snprintf(r->kernel, sizeof r->kernel, "%s", kernel);
        snprintf(r->label, sizeof r->label, "%.31s", kernel);
        out->n_ranks = r->rank + 1;
    }
    out->n = s[0]->n;
    return true;
}

/* Rows of the host, whose names follow those of the kernels; none is no fault. */
static bool read_calls(struct timeline *out, const struct msg_part *p)
{
    static const char *const names[] = {"host", "host_start", "host_end"};
    const struct msg_series *s[3], *ranks = evidence_series(p, "host_rank");
    if (!evidence_series(p, names[0]))
        return true;
    for (int k = 0; k < 3; k++)
        if (!(s[k] = evidence_series(p, names[k])) || s[k]->n != s[0]->n)
            return false;
    if (s[0]->n < 1 || s[0]->n > (ranks ? TIMELINE_CALLS : CAP_STEPS + 1))
        return false;
    for (int i = 0; i < s[0]->n; i++) {
        struct timeline_call *c = &out->call[i];
        *c = (struct timeline_call){.start = s[1]->values[i], .end = s[2]->values[i]};
        if (!rank_of(ranks, i, i ? c[-1].rank : 0, &c->rank) || (!ranks && s[0]->values[i] != i) ||
            !(c->start >= 0) || !(c->end >= c->start))
            return false;
        snprintf(c->label, sizeof c->label, "%.12s",
                 out->n + i < p->n_lines ? p->lines[out->n + i] : "");
    }
    out->n_calls = s[0]->n;
    return true;
}

/* A declared wait is a host that computes, which "wait" says to nobody who reads a timeline. A
 * graph that was made before the step is no capture in it, and what a graph holds is launched
 * with it. */
static const char *shown_name(const struct host_item *h, bool in_graph)
{
    if (h->kind == HOST_LAUNCH && in_graph)
        return "in the graph";
    if (h->kind == HOST_CAPTURE && !h->anew)
        return "captured before";
    return h->kind == HOST_WAIT ? "its own code" : step_name(h->kind);
}

/* What the story calls its steps, and at the end what they are waited for by. */
static void name_calls(struct timeline *out, const struct host_list *steps, int n_steps,
                       const struct launch *launches)
{
    int each = n_steps + 1;
    bool in_graph = false;
    if (out->n_calls != each * out->n_ranks)
        return;
    for (int i = 0; i < out->n_calls; i++) {
        const struct host_item launch = {.kind = HOST_LAUNCH, .launch = i % each};
        const struct host_item *h = steps->n ? &steps->item[i % each] : &launch;
        struct timeline_call *c = &out->call[i];
        if (i % each == n_steps) {
            snprintf(c->label, sizeof c->label, "the end");
            continue;
        }
        const char *label = h->kind == HOST_LAUNCH ? launches[h->launch].label : h->label;
        in_graph = in_graph && h->kind != HOST_REPLAY;
        const char *name = shown_name(h, in_graph);
        if (label)
            snprintf(c->label, sizeof c->label, "%s (%.24s)", name, label);
        else if (strcmp(name, step_name(h->kind)) != 0)
            snprintf(c->label, sizeof c->label, "%s", name);
        in_graph = in_graph || h->kind == HOST_CAPTURE;
    }
}

static double size_of(const struct story *story, const struct msg_device *device,
                      const int64_t *values, const struct expr *e)
{
    struct quantity q = {0};
    return e->f && !size_value(story, device, values, e, &q, NULL) ? q.value : 0;
}

static void add_sizes(struct timeline *out, const struct story *story, const struct launch *l,
                      const struct msg_device *device)
{
    int64_t *values = mem_new((size_t)story->n_params + 1, sizeof *values);
    if (!size_params(story, device, -1, 0, values, NULL))
        for (int i = 0; i < out->n; i++) {
            out->row[i].bytes = size_of(story, device, values, &l[out->row[i].launch].bytes);
            out->row[i].flops = size_of(story, device, values, &l[out->row[i].launch].flops);
        }
    free(values);
}

static int by_start(const void *a, const void *b)
{
    const struct timeline_row *x = *(struct timeline_row *const *)a,
                              *y = *(struct timeline_row *const *)b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x > y) - (x < y);
}

/* What lies between the end of everything that began earlier and a row's start, on one GPU. */
static void find_gaps(struct timeline *s, int rank)
{
    struct timeline_row *sorted[TIMELINE_ROWS];
    double until = 0;
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->row[i].rank == rank)
            sorted[n++] = &s->row[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_start);
    for (int i = 0; i < n; i++) {
        sorted[i]->gap = sorted[i]->start - until > NO_GAP_S ? sorted[i]->start - until : 0;
        until = fmax(until, sorted[i]->end);
    }
    s->length = fmax(s->length, until);
}

static bool all_fit(const struct timeline *s, int n_launches)
{
    bool fit = s->n_ranks > 1 || n_launches == s->n;
    for (int i = 0; i < s->n; i++)
        fit = fit && s->row[i].launch < n_launches;
    return fit;
}

bool timeline_make(struct timeline *out, const struct msg_part *p, const struct variant *v,
                   const struct msg_device *device)
{
    unsigned streams = 0;
    *out = (struct timeline){.n = 0};
    if (!p || p->probe != PROBE_TIMELINE || !read_rows(out, p) || !read_calls(out, p)) {
        out->n = out->n_calls = out->n_ranks = 0;
        return false;
    }
    int n_launches = 0;
    const struct launch *launches = v ? variant_launches(v, p->run, &n_launches) : NULL;
    bool fits = launches && all_fit(out, n_launches);
    for (int i = 0; i < out->n; i++) {
        struct timeline_row *r = &out->row[i], *longest = &out->row[out->longest];
        if (fits && launches[r->launch].label)
            snprintf(r->label, sizeof r->label, "%.31s", launches[r->launch].label);
        if (fits)
            r->after = launches[r->launch].after;
        if (r->end - r->start > longest->end - longest->start)
            out->longest = i;
        out->n_streams += !(streams >> r->stream & 1);
        streams |= 1u << r->stream;
    }
    if (device && fits)
        add_sizes(out, v->story, launches, device);
    if (fits) {
        const struct host_list *steps = variant_steps(v, p->run);
        name_calls(out, steps, steps->n ? steps->n : n_launches, launches);
    }
    for (int i = 0; i < out->n_ranks; i++)
        find_gaps(out, i);
    for (int i = 0; i < out->n_calls; i++)
        out->length = fmax(out->length, out->call[i].end);
    return true;
}
