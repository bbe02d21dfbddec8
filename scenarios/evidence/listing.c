#include "scenarios/evidence/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/program.h"
#include "scenarios/pack/harness.h"
#include "scenarios/pack/names.h"

struct writing {
    FILE *out;
    const struct story *story;
    const struct msg_device *device; /* NULL: formulas stay formulas */
    int64_t *values;                 /* of the parameters */
};

static int has_name(void *ctx, const char *name)
{
    (void)ctx, (void)name;
    return ERR_MISSING;
}

/* Without a GPU a number is one still. */
static bool real_of(const struct writing *w, const struct expr *e, double *out)
{
    struct quantity q;
    bool known = w->device || formula_names(e->f, has_name, NULL, NULL) == 0;
    known = known && size_value(w->story, w->device, w->values, e, &q, NULL) == 0;
    *out = known ? q.value : 0;
    return known;
}

static bool value_of(const struct writing *w, const struct expr *e, int64_t *out)
{
    double value;
    bool known = real_of(w, e, &value);
    *out = (int64_t)value;
    return known;
}

static void put_size(const struct writing *w, const struct expr *e)
{
    int64_t value;
    if (value_of(w, e, &value))
        fprintf(w->out, "%lld", (long long)value);
    else
        fputs(formula_text(e->f), w->out);
}

/* "1056", "(32, 8)" */
static void put_extent(const struct writing *w, const struct expr *e, int n)
{
    if (n > 1)
        putc('(', w->out);
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "", w->out);
        put_size(w, &e[i]);
    }
    if (n > 1)
        putc(')', w->out);
}

/* Of memory, as people say it. */
static void put_bytes(const struct writing *w, const struct expr *e)
{
    enum { KI = 1024 };
    int64_t bytes;
    if (!value_of(w, e, &bytes))
        fputs(formula_text(e->f), w->out);
    else if (bytes % KI == 0)
        fprintf(w->out, "%lld KiB", (long long)bytes / KI);
    else
        fprintf(w->out, "%lld B", (long long)bytes);
}

static void put_shared(const struct writing *w, const struct expr *e)
{
    int64_t bytes;
    if (value_of(w, e, &bytes) && bytes == 0)
        return;
    fputs(", shared ", w->out);
    put_bytes(w, e);
}

static void put_bracket(const struct writing *w, const char *what, const struct expr *e, int n)
{
    fprintf(w->out, ", %s [", what);
    for (int i = 0; i < n; i++) {
        int64_t value;
        fputs(i ? ", " : "", w->out);
        if (value_of(w, &e[i], &value))
            fprintf(w->out, "%lld", (long long)value);
        else
            fputs(formula_text(e[i].f), w->out);
    }
    putc(']', w->out);
}

static void put_map(const struct writing *w, const struct arg *a)
{
    fprintf(w->out, "map(%s", w->story->buffers[a->index].name);
    put_bracket(w, "size", a->map->size, a->map->rank);
    if (a->map->rank > 1)
        put_bracket(w, "pitch", a->map->pitch, a->map->rank - 1);
    put_bracket(w, "box", a->map->box, a->map->rank);
    if (a->map->swizzle)
        fprintf(w->out, ", swizzle %d B", a->map->swizzle);
    putc(')', w->out);
}

static void put_arg(const struct writing *w, const struct arg *a)
{
    double value;
    if (a->kind == ARG_MAP)
        put_map(w, a);
    else if (a->kind == ARG_RANK)
        fputs("rank", w->out);
    else if (a->kind == ARG_PEER)
        fprintf(w->out, "peer %s", w->story->buffers[a->index].name);
    else if (a->kind == ARG_BUFFER)
        fputs(w->story->buffers[a->index].name, w->out);
    else if (!a->value.f)
        fputs(w->story->params[a->index].name, w->out);
    else if (real_of(w, &a->value, &value))
        fprintf(w->out, "%.15g", value);
    else
        fputs(formula_text(a->value.f), w->out);
}

static const char *name_of(const struct launch *l)
{
    return l->label ? l->label : l->kernel;
}

static void put_remark(const struct writing *w, const struct launch *all, int at)
{
    const char *between = ", after: ";
    if (!all[at].label)
        return;
    fprintf(w->out, "  // %s", all[at].label);
    for (int k = 0; k < at; k++)
        if (all[at].after >> k & 1) {
            fprintf(w->out, "%s%s", between, name_of(&all[k]));
            between = ", ";
        }
}

/* Whose it is, where several GPUs are at work. */
static void put_rank(const struct writing *w, int only)
{
    if (only)
        fprintf(w->out, ", rank %d alone", only - 1);
}

/* "all_reduce(g, 4096 from 0, stream 1)  // sum 1, after: layer 1" */
static void put_transfer(const struct writing *w, const struct launch *l)
{
    const struct transfer *m = l->transfer;
    const char *from = w->story->buffers[m->from].name, *to = w->story->buffers[m->to].name;
    fprintf(w->out, "%s(%s", l->kernel, from);
    if (m->from != m->to)
        fprintf(w->out, " to %s%s", m->kind == TRANSFER_PEER_COPY ? "the next rank's " : "", to);
    if (m->count.f) {
        fputs(", count ", w->out);
        put_size(w, &m->count);
    }
    if (m->first.f) {
        fputs(", first ", w->out);
        put_size(w, &m->first);
    }
    if (m->kind == TRANSFER_PEER_COPY)
        fputs(m->through_host ? ", through the host" : ", through the link", w->out);
    if (l->stream)
        fprintf(w->out, ", stream %d", l->stream);
    put_rank(w, l->only);
    putc(')', w->out);
}

static void put_kernel(const struct writing *w, const struct launch *l)
{
    fprintf(w->out, "%s<<<grid ", l->kernel);
    put_extent(w, l->grid, l->n_grid);
    fputs(", block ", w->out);
    put_extent(w, l->block, l->n_block);
    if (l->shared.f)
        put_shared(w, &l->shared);
    if (l->n_cluster) {
        fputs(", cluster ", w->out);
        put_extent(w, l->cluster, l->n_cluster);
    }
    if (l->cooperative)
        fputs(", cooperative", w->out);
    if (l->programmatic)
        fputs(", programmatic", w->out);
    if (l->stream)
        fprintf(w->out, ", stream %d", l->stream);
    put_rank(w, l->only);
    fputs(">>>(", w->out);
    for (int i = 0; i < l->n_args; i++) {
        fputs(i ? ", " : "", w->out);
        put_arg(w, &l->args[i]);
    }
    putc(')', w->out);
}

static void put_launch(const struct writing *w, const struct launch *all, int at)
{
    if (all[at].transfer)
        put_transfer(w, &all[at]);
    else
        put_kernel(w, &all[at]);
    put_remark(w, all, at);
    putc('\n', w->out);
}

static void put_seconds(const struct writing *w, const struct expr *e)
{
    double seconds;
    char text[32];
    if (!real_of(w, e, &seconds)) {
        fputs(formula_text(e->f), w->out);
        return;
    }
    quantity_show(text, sizeof text, seconds, "s");
    fputs(text, w->out);
}

static void put_host_step(const struct writing *w, const struct host_item *h)
{
    const char *buffer = w->story->n_buffers ? w->story->buffers[h->buffer].name : "";
    fprintf(w->out, "%s(", step_name(h->kind));
    switch (h->kind) {
    case HOST_SYNC: fputs(h->stream == WHOLE_DEVICE ? "device" : "", w->out); break;
    case HOST_COPY:
        fprintf(w->out, "%s to %s, %s", buffer, h->to_device ? "device" : "host",
                h->pinned ? "pinned" : "pageable");
        break;
    case HOST_READ: fputs(buffer, w->out); break;
    case HOST_ALLOC: put_bytes(w, &h->amount); break;
    case HOST_WAIT: put_seconds(w, &h->amount); break;
    case HOST_CAPTURE: fputs(h->anew ? "graph, anew" : "graph", w->out); break;
    case HOST_REPLAY: fputs("graph", w->out); break;
    case HOST_LOAD: fputs(h->ptx ? "ptx" : "cubin", w->out); break;
    case HOST_FREE: case HOST_LAUNCH: case HOST_COUNT: break;
    }
    if (h->kind == HOST_SYNC && h->stream != WHOLE_DEVICE)
        fprintf(w->out, "stream %d", h->stream);
    else if ((h->kind == HOST_COPY || h->kind == HOST_READ) && h->stream)
        fprintf(w->out, ", stream %d", h->stream);
    put_rank(w, h->only);
    fputs(h->label ? ")  // " : ")", w->out);
    fprintf(w->out, "%s\n", h->label ? h->label : "");
}

char *listing_launches(const struct variant *v, const char *run, const struct msg_device *device)
{
    const struct story *s = v->story;
    char *text = NULL;
    size_t size;
    int n;
    const struct launch *launches = variant_launches(v, run, &n);
    struct writing w = {.story = s, .values = mem_new((size_t)s->n_params, sizeof(int64_t))};
    if (device && size_params(s, device, -1, 0, w.values, NULL) == 0)
        w.device = device;
    if (!(w.out = open_memstream(&text, &size)))
        abort();
    const struct host_list *steps = variant_steps(v, run);
    for (int i = 0; i < n && steps->n == 0; i++)
        put_launch(&w, launches, i);
    for (int i = 0; i < steps->n; i++)
        if (steps->item[i].kind == HOST_LAUNCH)
            put_launch(&w, launches, steps->item[i].launch);
        else
            put_host_step(&w, &steps->item[i]);
    fclose(w.out);
    free(w.values);
    return text;
}

/* How the baseline of run "a" or "b" is launched, behind a blank line; "" where there is none. */
static char *listing_baseline(const struct variant *v, const char *run,
                              const struct msg_device *device)
{
    const struct benchmark *b = variant_benchmark(v, run);
    if (!b || !b->baseline_file)
        return text_dup("");
    char *launches = listing_launches(v, b == &v->honest ? "p" : "o", device);
    char *text = text_format("\n%s", launches);
    free(launches);
    return text;
}

char *listing_text(const struct variant *v, const char *run, const struct msg_device *device)
{
    const struct file *f = variant_source(v, run);
    if (!f || story_is_case(v->story))
        return f ? text_dup(f->text) : NULL;
    char *launches = listing_launches(v, run, device), *program = program_text(v, run, device);
    char *compared = listing_baseline(v, run, device);
    bool ended = f->len == 0 || f->text[f->len - 1] == '\n';
    char *text = text_format("%s%s\n%s%s%s%s", f->text, ended ? "" : "\n", launches,
                             program ? "\n" : "", program ? program : "", compared);
    free(launches);
    free(program);
    free(compared);
    return text;
}
