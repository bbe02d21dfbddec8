#include "scenarios/check/checker_sabotage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/check/checker_spoil.h"
#include "scenarios/evidence/request.h"

enum {
    GROUP = 6,
    BLOCK = 1024,
    TAIL = 256
}; /* runs in a request; elements that are left out at the end */

enum wish {
    WISH_REFUSED,
    WISH_ACCEPTED,
    WISH_SEEN /* refused where two neighbours differ: says whether a swap was one */
};

/* One way to spoil the fix's result. buffer -1: all of it at once. */
struct spoil {
    enum spoil_how how;
    enum wish wish;
    int buffer;
    int64_t at;
    double by;
    bool poison, stale;
    char text[120];
};
struct spoils {
    const struct live *l;
    struct spoil *list; int n;
    struct msg_measure m;      /* of one group */
    int64_t *values;
};

/* ---- which ---- */

static bool is_output(const struct buffer *b)
{
    return b->role == ROLE_OUTPUT || b->role == ROLE_INOUT;
}

static struct spoil *add(struct spoils *s, enum spoil_how how, int buffer, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static struct spoil *add(struct spoils *s, enum spoil_how how, int buffer, const char *fmt, ...)
{
    va_list ap;
    s->list = mem_grow(s->list, (size_t)s->n + 1, sizeof *s->list);
    struct spoil *p = &s->list[s->n++];
    *p = (struct spoil){.how = how, .buffer = buffer};
    va_start(ap, fmt);
    vsnprintf(p->text, sizeof p->text, fmt, ap);
    va_end(ap);
    return p;
}

static void add_element(struct spoils *s, enum spoil_how how, int buffer, int64_t at,
                        const char *what)
{
    add(s, how, buffer, "%s[%lld] %s", s->l->v->story->buffers[buffer].name, (long long)at, what)
        ->at = at;
}

static void add_of_buffer(struct spoils *s, int i, int64_t count)
{
    const struct story *story = s->l->v->story;
    const struct buffer *b = &story->buffers[i];
    const struct msg_tolerance *t = &story->tolerance;
    add(s, SPOIL_ZERO, i, "zeros in all of %s", b->name);
    if (count > 1)
        add(s, SPOIL_TAIL, i, "zeros in the last %d elements of %s that are not zero", TAIL,
            b->name);
    add_element(s, SPOIL_OFF, i, count / 2,
                t->kind == TOL_EXACT ? "off by its last bit" : "off by ten tolerances");
    if (count > 1)
        add_element(s, SPOIL_OFF, i, count - 1,
                    t->kind == TOL_EXACT ? "off by its last bit" : "off by ten tolerances");
    if (elem_is_real(b->type))
        add_element(s, SPOIL_NAN, i, count / 3, "not a number");
    if (count > 1)
        add(s, SPOIL_SWAP, i, "two neighbours in %s in each other's place", b->name);
    if (t->kind == TOL_EXACT || !elem_is_real(b->type))
        return;
    add(s, SPOIL_SCALE, i, "%s scaled by %.6g", b->name, 1 + 2 * t->rel + 0.01)->by =
        2 * t->rel + 0.01;
    struct spoil *mild = add(s, SPOIL_SCALE, i, "%s scaled by %.9g", b->name, 1 + t->rel / 4);
    mild->by = t->rel / 4;
    mild->wish = WISH_ACCEPTED;
}

static bool is_random(enum fill_kind k)
{
    return k == FILL_UNIFORM || k == FILL_NORMAL || k == FILL_PERMUTATION || k == FILL_HOT ||
           k == FILL_ZIPF;
}

static bool is_random_input(enum buffer_role role, enum fill_kind fill)
{
    return role == ROLE_INPUT && is_random(fill);
}

/* Whether a request has room for other values of at least one random input. */
static bool can_be_stale(const struct story *story)
{
    for (int i = 0; i < story->n_buffers; i++)
        if (is_random_input(story->buffers[i].role, story->buffers[i].fill.kind))
            return story->n_buffers < CAP_BUFFERS;
    return false;
}

static int add_all(struct spoils *s, struct err *err)
{
    const struct story *story = s->l->v->story;
    int rc = 0;
    for (int i = 0; rc == 0 && i < story->n_buffers; i++) {
        int64_t count = 0;
        if (!is_output(&story->buffers[i]))
            continue;
        rc = size_whole(story, s->l->device, s->values, &story->buffers[i].count, &count, err);
        if (rc == 0)
            add_of_buffer(s, i, count);
    }
    add(s, SPOIL_NOTHING, -1, "outputs that nobody wrote")->poison = true;
    if (can_be_stale(story))
        add(s, SPOIL_NOTHING, -1, "the results of other inputs")->stale = true;
    add(s, SPOIL_NOTHING, -1, "the fix's own result")->wish = WISH_ACCEPTED;
    return rc;
}

/* ---- the request of a group ---- */

static void set_arg(struct msg_launch *l, enum arg_kind kind, int buffer, int64_t i, double f)
{
    l->args[l->n_args++] = (struct msg_arg){.kind = kind, .buffer = buffer, .i = i, .f = f};
}

/* The launch that spoils; it waits for all streams but its own, which it follows anyway. */
static void make_spoiler(struct msg_launch *out, const struct spoils *s, const struct spoil *p,
                         const struct msg_run *run)
{
    const struct msg_shape *shape = &s->m.base;
    const struct msg_tolerance *t = &s->m.tolerance;
    int buffer = p->buffer;
    for (int i = 0; buffer < 0; i++)
        if (is_output(&s->l->v->story->buffers[i]))
            buffer = i;
    bool wide = p->how == SPOIL_ZERO || p->how == SPOIL_SCALE, exact = t->kind == TOL_EXACT;
    *out = (struct msg_launch){.grid = {wide ? 512 : 1, 1, 1}, .block = {BLOCK, 1, 1}};
    snprintf(out->source, sizeof out->source, "w");
    snprintf(out->kernel, sizeof out->kernel, "wd_spoil");
    for (int i = 0; i < run->n_launches; i++)
        out->after |= run->launches[i].stream ? (uint64_t)1 << i : 0;
    set_arg(out, ARG_BUFFER, buffer, 0, 0);
    set_arg(out, ARG_I32, -1, shape->buffers[buffer].type, 0);
    set_arg(out, ARG_I64, -1, (int64_t)shape->buffers[buffer].count, 0);
    set_arg(out, ARG_I32, -1, p->how, 0);
    set_arg(out, ARG_I64, -1, p->how == SPOIL_TAIL ? TAIL : p->at, 0);
    set_arg(out, ARG_I32, -1, exact, 0);
    set_arg(out, ARG_F64, -1, 0, exact ? 0 : t->rel);
    set_arg(out, ARG_F64, -1, 0, exact ? 0 : t->abs);
    set_arg(out, ARG_F64, -1, 0, p->by);
}

/* Behind the story's buffers stand inputs of the same kind, which the seed fills otherwise, for its
 * random ones, as many as a request may have; other[i] becomes the place of that for buffer i, or
 * i. */
static void add_other_inputs(struct msg_shape *shape, int other[CAP_BUFFERS])
{
    int n = shape->n_buffers;
    shape->buffers = mem_grow(shape->buffers, CAP_BUFFERS, sizeof *shape->buffers);
    for (int i = 0; i < n; i++) {
        other[i] = i;
        if (!is_random_input(shape->buffers[i].role, shape->buffers[i].fill.kind) ||
            shape->n_buffers == CAP_BUFFERS)
            continue;
        other[i] = shape->n_buffers++;
        shape->buffers[other[i]] = shape->buffers[i];
        snprintf(shape->buffers[other[i]].name, sizeof shape->buffers->name, "wd_other_%d", i);
    }
}

static void use_other_inputs(struct msg_run *run, const int other[CAP_BUFFERS])
{
    for (int i = 0; i < run->n_launches; i++)
        for (int a = 0; a < run->launches[i].n_args; a++) {
            struct msg_arg *arg = &run->launches[i].args[a];
            if (arg_of_buffer(arg->kind))
                arg->buffer = other[arg->buffer];
        }
}

/* Run s<k>: the fix's launches and the one that spoils; of outputs that nobody wrote, that one
 * alone. */
static void add_run(struct spoils *s, const struct spoil *p, int k)
{
    struct msg_shape *shape = &s->m.base;
    const struct msg_run *fix = msg_run_find(shape, "b");
    int n = p->poison ? 0 : fix->n_launches;
    struct msg_run run = {.launches = mem_new((size_t)n + 1, sizeof *run.launches),
                          .n_launches = n};
    snprintf(run.id, sizeof run.id, "s%d", k);
    if (n)
        memcpy(run.launches, fix->launches, (size_t)n * sizeof *run.launches);
    if (p->stale) {
        int other[CAP_BUFFERS];
        add_other_inputs(shape, other);
        use_other_inputs(&run, other);
    }
    make_spoiler(&run.launches[n], s, p, &run);
    run.n_launches++;
    shape->runs[shape->n_runs++] = run;
    live_item(&s->m, p->poison ? PROBE_POISON : PROBE_CHECK, run.id, -1);
}

static void add_spoiler_source(struct msg_measure *m)
{
    struct msg_source *source = &m->sources[m->n_sources++];
    snprintf(source->id, sizeof source->id, "w");
    snprintf(source->name, sizeof source->name, "spoil.cu");
    source->text = text_dup(spoil_source);
}

static int begin_group(struct spoils *s, struct err *err)
{
    s->m = (struct msg_measure){.seed = LIVE_SEED, .tolerance = s->l->v->story->tolerance};
    request_sources(&s->m, s->l->v, "br");
    add_spoiler_source(&s->m);
    return request_shape(&s->m.base, s->l->v, s->l->device, s->values, "br", err);
}

/* ---- what came ---- */

static void describe_tolerance(char *out, size_t size, const struct msg_tolerance *t)
{
    if (t->kind == TOL_EXACT)
        snprintf(out, size, "exact");
    else
        snprintf(out, size, "relative %g, absolute %g", t->rel, t->abs);
}

/* -1: not known. */
static int was_refused(const struct msg_part *p)
{
    const struct msg_value *v =
        msg_part_value(p, p->probe == PROBE_POISON ? "poisoned_wrong" : "wrong_elements");
    return v && v->present ? v->value > 0 : -1;
}

static void say_accepted(const struct spoils *s, const struct spoil *p)
{
    char tolerance[80];
    describe_tolerance(tolerance, sizeof tolerance, &s->m.tolerance);
    live_find(s->l, "live-sabotage", live_in_story(s->l, "tolerance"),
              "%s: the comparison accepts it (tolerance: %s)", p->text, tolerance);
}

static void say_strict(const struct spoils *s, const struct spoil *p, const struct msg_part *part)
{
    char tolerance[80];
    const struct msg_value *worst = msg_part_value(part, "max_error");
    describe_tolerance(tolerance, sizeof tolerance, &s->m.tolerance);
    live_find(s->l, "live-strict", live_in_story(s->l, "tolerance"),
              "%s: the comparison refuses it (tolerance: %s; largest difference %.3g%s%s)", p->text,
              tolerance, worst && worst->present ? worst->value : 0, part->n_lines ? "; " : "",
              part->n_lines ? part->lines[0] : "");
}

static void judge(struct spoils *s, struct spoil *p, int item)
{
    const struct msg_part *part = batch_part(s->l->batch, &s->m, item, s->m.items[item].runs[0]);
    int refused = part ? was_refused(part) : -1;
    struct lived *out = s->l->out;
    char what[160];
    snprintf(what, sizeof what, "spoilt result (%s)", p->text);
    if (refused < 0) {
        out->spoilt += p->wish == WISH_REFUSED;
        live_missing(s->l, "live-gap", &s->m, item, what);
    } else if (p->wish == WISH_ACCEPTED) {
        if (refused)
            say_strict(s, p, part);
    } else if (p->how == SPOIL_SWAP && !refused) {
        *p = (struct spoil){.how = SPOIL_PAIR,
                            .wish = WISH_SEEN,
                            .buffer = p->buffer}; /* asked once more */
        snprintf(p->text, sizeof p->text, "two neighbours in %s in each other's place",
                 s->l->v->story->buffers[p->buffer].name);
    } else if (p->wish == WISH_REFUSED || refused) {    /* else no two neighbours differ */
        out->spoilt++;
        out->refused += p->wish == WISH_REFUSED && refused;
        if (p->wish == WISH_SEEN || !refused)
            say_accepted(s, p);
    }
}

static bool fits(const struct spoils *s, int from, int n)
{
    return n < GROUP && from + n < s->n &&
           (n == 0 || (!s->list[from].stale && !s->list[from + n].stale));
}

/* Spoils [from, from + *n) in one request, as many as fit. */
static int do_group(struct spoils *s, int from, int *n, const char *what, struct err *err)
{
    int rc = begin_group(s, err);
    for (*n = 0; fits(s, from, *n); ++*n)
        if (rc == 0)
            add_run(s, &s->list[from + *n], *n);
    if (rc == 0)
        rc = batch_measure(s->l->batch, &s->m, what, err);
    for (int k = 0; rc == 0 && k < *n; k++)
        judge(s, &s->list[from + k], k);
    msg_measure_free(&s->m);
    return rc;
}

static int do_all(struct spoils *s, struct err *err)
{
    char what[200];
    int rc = 0;
    snprintf(what, sizeof what, "%s: is the comparison", s->l->v->full_id);
    for (int i = 0, n; rc == 0 && i < s->n; i += n)
        rc = do_group(s, i, &n, what, err);
    int kept = 0;
    for (int i = 0; i < s->n; i++)
        if (s->list[i].wish == WISH_SEEN)
            s->list[kept++] = s->list[i];
    s->n = kept;
    for (int i = 0, n; rc == 0 && i < s->n; i += n)
        rc = do_group(s, i, &n, what, err);
    return rc;
}

static bool has_room(const struct variant *v)
{
    int n;
    variant_launches(v, "b", &n);
    return n < CAP_LAUNCHES;
}

int live_check_sabotage(const struct live *l, struct err *err)
{
    struct spoils s = {.l = l, .values = mem_new((size_t)l->v->story->n_params, sizeof *s.values)};
    int rc = 0;
    if (!has_room(l->v)) {
        live_find(l, "live-gap", (struct place){0},
                  "the comparison was not tried: the fix takes all launches that a request may "
                  "have");
    } else {
        rc = size_params(l->v->story, l->device, -1, 0, s.values, err);
        if (rc == 0)
            rc = add_all(&s, err);
        if (rc == 0)
            rc = do_all(&s, err);
    }
    free(s.list);
    free(s.values);
    return rc;
}
