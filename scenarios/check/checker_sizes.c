#include "scenarios/check/checker_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/failing.h"

enum { REPEATS = 20, VECTOR = 16, LESS = 64 /* times less work, where a tool does not end */ };

/* The request that asks it all, and the sizes in it. A size of variant -1 is the story's own. */
struct size { char label[96]; int variant; };
struct sizes {
    const struct live *l;
    struct msg_measure m;
    struct size *list; int n;
    bool varies;               /* another size makes other buffers */
    const char *sides;         /* the runs that must be right */
    const char *runs;          /* those and the reference */
    int64_t *own, *values;
    bool *fixed;
};

/* ---- which sizes ---- */

static bool has_other_counts(const struct msg_shape *a, const struct msg_shape *b)
{
    for (int i = 0; i < a->n_buffers && i < b->n_buffers; i++)
        if (a->buffers[i].count != b->buffers[i].count)
            return true;
    return false;
}

static void check_at(struct sizes *s, int variant)
{
    for (const char *run = s->sides; *run; run++) {
        live_item(&s->m, PROBE_CHECK, (char[]){*run, 0}, variant);
        live_item(&s->m, PROBE_POISON, (char[]){*run, 0}, variant);
    }
}

static struct size *add_size(struct sizes *s, int variant)
{
    s->list = mem_grow(s->list, (size_t)s->n + 1, sizeof *s->list);
    s->list[s->n] = (struct size){.variant = variant};
    check_at(s, variant);
    return &s->list[s->n++];
}

/* The one added last. */
static void drop_variant(struct sizes *s)
{
    struct msg_measure dropped = {.base = s->m.variants[--s->m.n_variants]};
    msg_measure_free(&dropped);
}

/* The parameters in s->values as one more size; NULL, and a finding, when nothing can be launched
 * so. */
static struct size *add_variant(struct sizes *s, const char *label, struct place at)
{
    struct err err = {0};
    if (s->m.n_variants == CAP_VARIANTS)
        return NULL;
    s->m.variants = mem_grow(s->m.variants, (size_t)s->m.n_variants + 1, sizeof *s->m.variants);
    struct msg_shape *shape = &s->m.variants[s->m.n_variants++];
    *shape = (struct msg_shape){0};
    if (request_shape(shape, s->l->v, s->l->device, s->values, s->runs, &err)) {
        drop_variant(s);
        live_find(s->l, "live-wrong", at, "at %s nothing can be launched: %s", label, err.text);
        return NULL;
    }
    s->varies = s->varies || has_other_counts(shape, &s->m.base);
    struct size *size = add_size(s, s->m.n_variants - 1);
    snprintf(size->label, sizeof size->label, "%s", label);
    return size;
}

static void label_shape(const struct sizes *s, const struct shape *shape, char out[96])
{
    size_t len = 0;
    *out = '\0';
    for (int i = 0; i < shape->n_sizes && len < 96; i++) {
        int p = shape->sizes[i].param;
        len += (size_t)snprintf(out + len, 96 - len, "%s%s %lld", i ? ", " : "",
                                s->l->v->story->params[p].name, (long long)s->values[p]);
    }
}

static void add_shape(struct sizes *s, const struct shape *shape)
{
    const struct story *story = s->l->v->story;
    struct place at = place_of(story->pack, &shape->sizes[0].value);
    struct err err = {0};
    char label[96];
    memset(s->fixed, 0, (size_t)story->n_params * sizeof *s->fixed);
    int rc = 0;
    for (int i = 0; rc == 0 && i < shape->n_sizes; i++) {
        s->fixed[shape->sizes[i].param] = true;
        rc = size_whole(story, s->l->device, s->own, &shape->sizes[i].value,
                        &s->values[shape->sizes[i].param], &err);
    }
    if (rc == 0)
        rc = size_params_fixed(story, s->l->device, s->fixed, s->values, &err);
    if (rc) {
        live_find(s->l, "live-wrong", at, "this size cannot be computed: %s", err.text);
        return;
    }
    label_shape(s, shape, label);
    add_variant(s, label, at);
}

static void add_step(struct sizes *s, const struct experiment *x, int step)
{
    const struct story *story = s->l->v->story;
    struct place at = place_of(story->pack, &x->over[step]);
    struct err err = {0};
    int64_t value = 0;
    char label[96];
    int rc = size_whole(story, s->l->device, s->own, &x->over[step], &value, &err);
    if (rc == 0 && value == s->own[x->vary])
        return;
    if (rc == 0)
        rc = size_params(story, s->l->device, x->vary, value, s->values, &err);
    if (rc) {
        live_find(s->l, "live-wrong", at, "a step of %s cannot be computed: %s", x->id, err.text);
        return;
    }
    snprintf(label, sizeof label, "%s %lld (a step of %s)", story->params[x->vary].name,
             (long long)value, x->id);
    add_variant(s, label, at);
}

/* Other contents, where the story itself compares results on them. */
static void add_fill(struct sizes *s, const struct experiment *x)
{
    memcpy(s->values, s->own, (size_t)s->l->v->story->n_params * sizeof *s->own);
    struct size *size = add_variant(s, x->id, (struct place){0});
    struct msg_shape *shape = size ? &s->m.variants[size->variant] : NULL;
    for (int i = 0; shape && i < shape->n_buffers; i++)
        shape->buffers[i].fill = x->fills[i];
}

static void add_sizes(struct sizes *s)
{
    const struct variant *v = s->l->v;
    for (int i = 0; i < v->n_shapes; i++)
        add_shape(s, &v->shapes[i]);
    for (int i = 0; i < v->story->n_experiments; i++) {
        const struct experiment *x = &v->story->experiments[i];
        for (int k = 0; x->kind == EXPERIMENT_SWEEP && k < x->n_steps; k++)
            add_step(s, x, k);
        if (x->kind == EXPERIMENT_FILL && x->measure == PROBE_CHECK)
            add_fill(s, x);
    }
    if (!v->n_shapes && !s->varies)
        live_find(s->l, "live-shapes", live_in_answer(s->l, "fix"),
                  "no `shapes`, and no sweep changes the size of a buffer");
}

/* ---- at the story's own size ---- */

static double work_of(const struct msg_shape *shape)
{
    return shape->work.flops > 0 ? shape->work.flops : shape->work.bytes;
}

/* The size with the most work that is much less than the story's own; -1: there is none, so the own
 * has to do. */
static int much_smaller(const struct sizes *s)
{
    int best = -1;
    for (int i = 0; i < s->m.n_variants; i++)
        if (work_of(&s->m.variants[i]) <= work_of(&s->m.base) / LESS &&
            (best < 0 || work_of(&s->m.variants[i]) > work_of(&s->m.variants[best])))
            best = i;
    return best;
}

/* A tool that did not end for the suspect would not for what computes the same: then it looks at a
 * much smaller size. */
static int size_for_tool(struct sizes *s, const char *tool)
{
    struct msg_item *it = live_item(&s->m, PROBE_SANITIZE, "a", -1);
    snprintf(it->tool, sizeof it->tool, "%s", tool);
    const struct msg_part *p = batch_part(s->l->batch, &s->m, s->m.n_items - 1, "a");
    s->m.n_items--;
    return p && live_was_cut(p) ? much_smaller(s) : -1;
}

static void add_own(struct sizes *s, const char *run)
{
    static const int moves[] = {4, 8, VECTOR};
    static const char *const tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
    live_item(&s->m, PROBE_REPEAT, run, -1)->repeat = REPEATS;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        int variant = size_for_tool(s, tools[i]);
        struct msg_item *it = live_item(&s->m, PROBE_SANITIZE, run, variant);
        snprintf(it->tool, sizeof it->tool, "%s", tools[i]);
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        live_item(&s->m, PROBE_CHECK, run, -1)->offset = moves[i];
    live_item(&s->m, PROBE_CHECK, run, -1)->fence = true;
}

/* Where a tool did not end for the fix or the best: at a much smaller size then. False: nowhere. */
static bool shrink_cut(struct sizes *s)
{
    int variant = much_smaller(s), n = 0;
    for (int i = 0; i < s->m.n_items && variant >= 0; i++) {
        struct msg_item *it = &s->m.items[i];
        const struct msg_part *p = batch_part(s->l->batch, &s->m, i, it->runs[0]);
        if (it->variant < 0 && p && live_was_cut(p)) {
            it->variant = variant;
            n++;
        }
    }
    return n > 0;
}

static int build(struct sizes *s, struct err *err)
{
    const struct variant *v = s->l->v;
    size_t n = (size_t)v->story->n_params;
    s->own = mem_new(n, sizeof *s->own);
    s->values = mem_new(n, sizeof *s->values);
    s->fixed = mem_new(n, sizeof *s->fixed);
    s->sides = variant_mended(v);
    s->runs = variant_runs(v) + 1;
    s->m = (struct msg_measure){.seed = LIVE_SEED, .tolerance = v->story->tolerance};
    request_sources(&s->m, v, variant_runs(v));
    int rc = size_params(v->story, s->l->device, -1, 0, s->own, err);
    if (rc == 0)
        rc = request_shape(&s->m.base, v, s->l->device, s->own, variant_runs(v), err);
    if (rc)
        return rc;
    snprintf(add_size(s, -1)->label, sizeof s->list->label, "the story's own size");
    add_sizes(s);
    for (const char *run = s->sides; *run; run++)
        add_own(s, (char[]){*run, 0});
    if (variant_fails(v))
        return 0;
    live_item(&s->m, PROBE_CHECK, "a", -1)->offset =
        4; /* what the suspect takes, the fix must take */
    live_item(&s->m, PROBE_CHECK, "a", -1)->offset = 8;
    return 0;
}

/* ---- what came ---- */

static double value_of(const struct msg_part *p, const char *metric)
{
    const struct msg_value *v = msg_part_value(p, metric);
    return v && v->present ? v->value : 0;
}

static const char *note_from(const struct msg_part *p, const char *prefix)
{
    for (int i = 0; i < p->n_notes; i++)
        if (!strncmp(p->notes[i], prefix, strlen(prefix)))
            return p->notes[i] + strlen(prefix);
    return NULL;
}

static const char *first_line(const struct msg_part *p)
{
    return p->n_lines ? p->lines[0] : "no element is named";
}

static bool is_misaligned(const struct msg_part *p)
{
    const char *fault = p ? note_from(p, "fault: ") : NULL;
    return fault && strstr(fault, "misaligned");
}

/* The suspect's part of a check with this offset. */
static const struct msg_part *suspect_moved(const struct sizes *s, int offset)
{
    for (int i = 0; i < s->m.n_items; i++)
        if (s->m.items[i].runs[0][0] == 'a' && s->m.items[i].offset == offset)
            return batch_part(s->l->batch, &s->m, i, "a");
    return NULL;
}

/* An image was compiled for buffers as the runner lays them; who has the text compiles it anew for
 * others. */
static bool is_image(const struct sizes *s, const char *run)
{
    const struct msg_run *r = msg_run_find(&s->m.base, run);
    return r && r->n_launches && msg_source_find(&s->m, msg_run_first(r)->source)->image.ptx;
}

/* Moved by less than a vector, kernels that move vectors may fault: the best may ask for aligned
 * buffers, as an image does, and the fix for what the suspect asks for, which one that brings no
 * result cannot show. */
static bool may_fault(const struct sizes *s, const struct msg_item *it, const struct msg_part *p)
{
    if (it->offset == 0 || it->offset >= VECTOR || !is_misaligned(p))
        return false;
    return it->runs[0][0] != 'b' || is_image(s, "b") || variant_fails(s->l->v) ||
           is_misaligned(suspect_moved(s, it->offset));
}

/* What is wrong, malloc'd; NULL: nothing. */
static char *fault_in(const struct sizes *s, const struct msg_item *it, const struct msg_part *p)
{
    static const char *const counts[] = {"memory_errors", "race_hazards", "uninitialised_reads",
                                         "barrier_errors"};
    const char *fault = note_from(p, "fault: "), *unfinished = note_from(p, "unfinished: ");
    if (it->probe == PROBE_REPEAT)
        return msg_part_note(p, "verdict: differing beyond the tolerance")
                   ? text_format("%d launches do not agree: %s", REPEATS, first_line(p))
                   : NULL;
    for (size_t i = 0; it->probe == PROBE_SANITIZE && i < sizeof counts / sizeof *counts; i++)
        if (value_of(p, counts[i]) > 0)
            return text_format("%s reports %.0f: %s", it->tool, value_of(p, counts[i]),
                               first_line(p));
    if (!msg_part_note(p, "verdict: wrong") || may_fault(s, it, p))
        return NULL;
    if (fault)
        return text_format("it faults: %s", fault);
    if (unfinished)
        return text_format("it does not end: %s", unfinished);
    if (it->probe == PROBE_POISON)
        return text_format("the result depends on what lay in memory (%.0f elements wrong, %.0f "
                           "with other bits): %s",
                           value_of(p, "poisoned_wrong"),
                           value_of(p, "buffer_differences") + value_of(p, "shared_differences"),
                           first_line(p));
    if (value_of(p, "wrong_elements") > 0)
        return text_format("%.0f of %.0f elements are wrong: %s", value_of(p, "wrong_elements"),
                           value_of(p, "compared_elements"), first_line(p));
    return text_format("it writes where it must not: %.0f bytes beside the buffers, %.0f inputs "
                       "changed",
                       value_of(p, "canaries_broken"), value_of(p, "inputs_changed"));
}

static void name_conditions(char *out, size_t size, const struct variant *v,
                            const struct msg_item *it, const char *label)
{
    char more[48] = "";
    if (it->offset)
        snprintf(more, sizeof more, ", buffers moved by %d bytes", it->offset);
    else if (it->fence)
        snprintf(more, sizeof more, ", a fence behind each buffer");
    else if (it->probe == PROBE_POISON)
        snprintf(more, sizeof more, ", poisoned");
    else if (it->probe == PROBE_SANITIZE)
        snprintf(more, sizeof more, ", under %s", it->tool);
    else if (it->probe == PROBE_REPEAT)
        snprintf(more, sizeof more, ", repeated");
    snprintf(out, size, "%s at %s%s", source_name(v->kind, it->runs[0]), label, more);
}

/* check_claims judges the plain comparison and the poisoned one at the story's own size. */
static bool is_told_already(const struct msg_item *it)
{
    return it->variant < 0 &&
           ((it->probe == PROBE_CHECK && !it->offset && !it->fence) || it->probe == PROBE_POISON);
}

static const struct msg_value *missing_value(const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics; i++)
        if (!p->metrics[i].present)
            return &p->metrics[i];
    return NULL;
}

static bool judge(const struct sizes *s, int item, const char *label)
{
    const struct msg_item *it = &s->m.items[item];
    const struct msg_part *p = batch_part(s->l->batch, &s->m, item, it->runs[0]);
    char what[240];
    name_conditions(what, sizeof what, s->l->v, it, label);
    if (!p) {
        live_missing(s->l, "live-wrong", &s->m, item, what);
        return false;
    }
    const struct msg_value *missing = missing_value(p);
    if (missing)
        live_find(s->l, "live-gap", (struct place){0}, "%s: %s", what,
                  missing->missing ? missing->missing : "no reason given");
    char *wrong = fault_in(s, it, p);
    if (wrong && !is_told_already(it))
        live_find(s->l, "live-wrong", (struct place){0}, "%s: %s", what, wrong);
    free(wrong);
    return wrong == NULL && !missing;
}

static void judge_size(const struct sizes *s, const struct size *size)
{
    bool right = true;
    for (int i = 0; i < s->m.n_items; i++) {
        const struct msg_item *it = &s->m.items[i];
        if (it->variant == size->variant && it->runs[0][0] != 'a' && !judge(s, i, size->label))
            right = false;
    }
    s->l->out->sizes++;
    s->l->out->sizes_right += right;
}

int live_check_sizes(const struct live *l, struct err *err)
{
    struct sizes s = {.l = l};
    char what[200];
    int rc = build(&s, err);
    snprintf(what, sizeof what, "%s: is the fix right", l->v->full_id);
    if (rc == 0)
        rc = batch_measure(l->batch, &s.m, what, err);
    if (rc == 0 && shrink_cut(&s))
        rc = batch_measure(l->batch, &s.m, what, err);
    for (int i = 0; rc == 0 && i < s.n; i++)
        judge_size(&s, &s.list[i]);
    free(s.list);
    free(s.own);
    free(s.values);
    free(s.fixed);
    msg_measure_free(&s.m);
    return rc;
}
