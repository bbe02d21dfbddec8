#include "scenarios/evidence/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

#define NO_GAP_S 1e-10 /* what rounding leaves; the GPU's clock counts nanoseconds */

const struct msg_part *timeline_part(const struct evidence *e, const char *run)
{
    for (int i = 0; e && i < e->n_parts; i++)
        if (e->parts[i].probe == PROBE_TIMELINE && !strcmp(e->parts[i].run, run))
            return &e->parts[i];
    return NULL;
}

static const struct msg_series *series_of(const struct msg_part *p, const char *name)
{
    for (int i = 0; i < p->n_series; i++)
        if (!strcmp(p->series[i].name, name))
            return &p->series[i];
    return NULL;
}

static bool read_rows(struct timeline *out, const struct msg_part *p)
{
    static const char *const names[] = {"kernel", "stream", "start", "end"};
    const struct msg_series *s[4];
    for (int k = 0; k < 4; k++)
        if (!(s[k] = series_of(p, names[k])) || s[k]->n != s[0]->n)
            return false;
    if (s[0]->n < 1 || s[0]->n > CAP_LAUNCHES)
        return false;
    for (int i = 0; i < s[0]->n; i++) {
        struct timeline_row *r = &out->row[i];
        double stream = s[1]->values[i];
        if (!(stream >= 0 && stream < CAP_STREAMS))
            return false;
        *r = (struct timeline_row){
            .stream = (int)stream, .start = s[2]->values[i], .end = s[3]->values[i]};
        if (s[0]->values[i] != i || !(r->start >= 0) || !(r->end >= r->start))
            return false;
        const char *kernel = i < p->n_lines ? p->lines[i] : "";
        snprintf(r->kernel, sizeof r->kernel, "%s", kernel);
        snprintf(r->label, sizeof r->label, "%.31s", kernel);
    }
    out->n = s[0]->n;
    return true;
}

/* Rows of the host, whose names follow those of the kernels; none is no fault. */
static bool read_calls(struct timeline *out, const struct msg_part *p)
{
    static const char *const names[] = {"host", "host_start", "host_end"};
    const struct msg_series *s[3];
    if (!series_of(p, names[0]))
        return true;
    for (int k = 0; k < 3; k++)
        if (!(s[k] = series_of(p, names[k])) || s[k]->n != s[0]->n)
            return false;
    if (s[0]->n < 1 || s[0]->n > CAP_STEPS + 1)
        return false;
    for (int i = 0; i < s[0]->n; i++) {
        struct timeline_call *c = &out->call[i];
        *c = (struct timeline_call){.start = s[1]->values[i], .end = s[2]->values[i]};
        if (s[0]->values[i] != i || !(c->start >= 0) || !(c->end >= c->start))
            return false;
        snprintf(c->label, sizeof c->label, "%.12s",
                 out->n + i < p->n_lines ? p->lines[out->n + i] : "");
    }
    out->n_calls = s[0]->n;
    return true;
}

/* What the story calls its steps, and at the end what they are waited for by. */
static void name_calls(struct timeline *out, const struct host_list *steps,
                       const struct launch *launches)
{
    if (out->n_calls != steps->n + 1)
        return;
    for (int i = 0; i < steps->n; i++) {
        const struct host_item *h = &steps->item[i];
        const char *label = h->kind == HOST_LAUNCH ? launches[h->launch].label : h->label;
        if (label)
            snprintf(out->call[i].label, sizeof out->call[i].label, "%s (%.24s)",
                     step_name(h->kind), label);
    }
    snprintf(out->call[steps->n].label, sizeof out->call[steps->n].label, "the end");
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
            out->row[i].bytes = size_of(story, device, values, &l[i].bytes);
            out->row[i].flops = size_of(story, device, values, &l[i].flops);
        }
    free(values);
}

static int by_start(const void *a, const void *b)
{
    const struct timeline_row *x = *(struct timeline_row *const *)a,
                              *y = *(struct timeline_row *const *)b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x > y) - (x < y);
}

/* What lies between the end of everything that began earlier and a row's start. */
static void find_gaps(struct timeline *s)
{
    struct timeline_row *sorted[CAP_LAUNCHES];
    double until = 0;
    for (int i = 0; i < s->n; i++)
        sorted[i] = &s->row[i];
    qsort(sorted, (size_t)s->n, sizeof *sorted, by_start);
    for (int i = 0; i < s->n; i++) {
        sorted[i]->gap = sorted[i]->start - until > NO_GAP_S ? sorted[i]->start - until : 0;
        until = fmax(until, sorted[i]->end);
    }
    s->length = until;
}

bool timeline_make(struct timeline *out, const struct msg_part *p, const struct variant *v,
                   const struct msg_device *device)
{
    unsigned streams = 0;
    *out = (struct timeline){.n = 0};
    if (!p || p->probe != PROBE_TIMELINE || !read_rows(out, p) || !read_calls(out, p)) {
        out->n = out->n_calls = 0;
        return false;
    }
    int n_launches = 0;
    const struct launch *launches = v ? variant_launches(v, p->run, &n_launches) : NULL;
    bool fits = n_launches == out->n;
    for (int i = 0; i < out->n; i++) {
        struct timeline_row *r = &out->row[i], *longest = &out->row[out->longest];
        if (fits && launches[i].label)
            snprintf(r->label, sizeof r->label, "%.31s", launches[i].label);
        if (fits)
            r->after = launches[i].after;
        if (r->end - r->start > longest->end - longest->start)
            out->longest = i;
        out->n_streams += !(streams >> r->stream & 1);
        streams |= 1u << r->stream;
    }
    if (device && fits)
        add_sizes(out, v->story, launches, device);
    if (fits)
        name_calls(out, variant_steps(v, p->run), launches);
    find_gaps(out);
    for (int i = 0; i < out->n_calls; i++)
        out->length = fmax(out->length, out->call[i].end);
    return true;
}
