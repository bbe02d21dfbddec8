/* The measure request: decoding is strict, so that no option is silently ignored. */
#include "kernels/wire/message.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/message_names.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"

static const char *const role_names[] = {"input", "output", "inout", "workspace"};
static const char *const cache_names[] = {"cold", "warm"};
static const char *const tolerance_names[] = {"exact", "relative"};
enum { TOOLS = 4 }; /* of compute-sanitizer */
static const char *const tool_names[TOOLS] = {"memcheck", "racecheck", "initcheck", "synccheck"};

/* ---- decoding, from the leaves up ---- */

static const char *const fill_names[FILL_COUNT] = {
    "zeros", "constant", "ramp", "uniform", "normal", "permutation", "hot", "zipf",
};

static void check_fill(const void *whole, const struct fields *f)
{
    if (fill_fault(whole))
        fields_fail(f, NULL, ERR_BAD_REQUEST, "cannot be: %s", fill_fault(whole));
}

static const struct row fill_rows[] = {
    {"kind", ROW_CHOICE, MEMBER(struct msg_fill, kind), .high = FILL_COUNT, .names = fill_names},
    {"value", ROW_NUMBER, MEMBER(struct msg_fill, a), .cases = 1 << FILL_CONSTANT},
    {"start", ROW_NUMBER, MEMBER(struct msg_fill, a), .cases = 1 << FILL_RAMP},
    {"step", ROW_NUMBER, MEMBER(struct msg_fill, b), .cases = 1 << FILL_RAMP},
    {"low", ROW_NUMBER, MEMBER(struct msg_fill, a), .cases = 1 << FILL_UNIFORM},
    {"high", ROW_NUMBER, MEMBER(struct msg_fill, b), .cases = 1 << FILL_UNIFORM},
    {"mean", ROW_NUMBER, MEMBER(struct msg_fill, a), .cases = 1 << FILL_NORMAL},
    {"sd", ROW_NUMBER, MEMBER(struct msg_fill, b), .cases = 1 << FILL_NORMAL},
    {"below", ROW_NUMBER, MEMBER(struct msg_fill, a), .cases = 1 << FILL_HOT | 1 << FILL_ZIPF},
    {"share", ROW_NUMBER, MEMBER(struct msg_fill, b), .cases = 1 << FILL_HOT},
    {"exponent", ROW_NUMBER, MEMBER(struct msg_fill, b), .cases = 1 << FILL_ZIPF},
};
static const struct codec fill_codec = {
    CODEC(struct msg_fill, fill_rows), .strict = true, .tagged = true, .check = check_fill,
};

/* The largest whole number up to which a type can tell all of them apart. */
static double whole_most(enum elem_type t)
{
    static const double most[T_COUNT] = {[T_F64] = 9007199254740992.0,
                                         [T_F32] = 16777216,
                                         [T_F16] = 2048,
                                         [T_BF16] = 256,
                                         [T_E4M3] = 16,
                                         [T_E5M2] = 8,
                                         [T_I64] = 9007199254740992.0,
                                         [T_I32] = 2147483647,
                                         [T_U32] = 4294967295.0,
                                         [T_I8] = 127,
                                         [T_U8] = 255};
    return most[t];
}

/* Indices that the type would round are not those that were asked for. */
static void check_indices(const void *whole, const struct fields *f)
{
    const struct msg_buffer *b = whole;
    enum fill_kind kind = b->fill.kind;
    double below = kind == FILL_PERMUTATION ? (double)b->count : b->fill.a;
    bool indices = kind == FILL_PERMUTATION || kind == FILL_HOT || kind == FILL_ZIPF;
    if (indices && below - 1 > whole_most(b->type))
        fields_fail(f, "fill", ERR_BAD_REQUEST, "needs numbers up to %.0f, which %s cannot hold",
                    below - 1, elem_name(b->type));
}

static const struct row buffer_rows[] = {
    {"name", ROW_NAME, MEMBER(struct msg_buffer, name)},
    {"type", ROW_CHOICE, MEMBER(struct msg_buffer, type), .high = T_COUNT, .names = elem_names},
    {"count", ROW_WHOLE, MEMBER(struct msg_buffer, count),
     .low = 1, .high = FIELDS_WHOLE_MAX / 8 - 1},
    {"role", ROW_CHOICE, ROW_WRITTEN, MEMBER(struct msg_buffer, role),
     .high = 4, .names = role_names},
    {"fill", ROW_OBJECT, ROW_WRITTEN, MEMBER(struct msg_buffer, fill),
     .high = INT32_MAX, .of = &fill_codec},
};
const struct codec buffer_codec = {
    CODEC(struct msg_buffer, buffer_rows), .strict = true, .check = check_indices,
};

static void decode_buffers(struct msg_shape *s, const struct fields *f)
{
    json_t *list = fields_array(f, "buffers", CAP_BUFFERS);
    s->buffers = mem_new(json_array_size(list), sizeof *s->buffers);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct fields b = fields_enter(f, json_array_get(list, i), "buffers[%zu]", i);
        codec_take(&s->buffers[s->n_buffers++], &buffer_codec, &b);
        if (!f->state->code && buffer_find(s, s->buffers[i].name, (int)i) >= 0)
            fields_fail(&b, "name", ERR_BAD_REQUEST, "is used twice: %s", s->buffers[i].name);
    }
}

static void decode_extent(uint32_t out[3], const struct fields *f, const char *key,
                          const int64_t most[3])
{
    json_t *list = fields_array(f, key, 3);
    out[0] = out[1] = out[2] = 1;
    if (list && json_array_size(list) == 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "is empty");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        json_int_t n = json_integer_value(value);
        if (!json_is_integer(value) || n < 1)
            fields_fail(f, key, ERR_BAD_REQUEST, "must hold whole numbers of at least 1");
        else if (n > most[i])
            fields_fail(f, key, ERR_TOO_LARGE, "[%zu] is %lld, CUDA allows %lld", i, (long long)n,
                        (long long)most[i]);
        else
            out[i] = (uint32_t)n;
    }
}

/* Figures of the CUDA programming guide: 8 blocks are what every GPU with clusters can place. */
static void decode_cluster(struct msg_launch *l, const struct fields *f)
{
    static const int64_t most[3] = {CAP_CLUSTER, CAP_CLUSTER, CAP_CLUSTER};
    if (!fields_has(f, "cluster"))
        return;
    decode_extent(l->cluster, f, "cluster", most);
    if (f->state->code)
        return;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > CAP_CLUSTER)
        fields_fail(f, "cluster", ERR_TOO_LARGE, "has more than %d blocks", CAP_CLUSTER);
    for (int i = 0; i < 3 && !f->state->code; i++)
        if (l->grid[i] % l->cluster[i])
            fields_fail(f, "cluster", ERR_BAD_REQUEST, "[%d] is %u, which does not divide %u of "
                        "the grid", i, (unsigned)l->cluster[i], (unsigned)l->grid[i]);
}

/* Where launch `at` stands among the others of its run: numbers of earlier launches, whose streams
 * are known. */
static void decode_after(struct msg_launch *l, const struct fields *f,
                         const struct msg_launch *before, int at)
{
    json_t *list = fields_has(f, "after") ? fields_array(f, "after", CAP_LAUNCHES) : NULL;
    for (size_t i = 0; i < json_array_size(list) && !f->state->code; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t k = json_is_integer(value) ? json_integer_value(value) : -1;
        if (k < 0 || k >= at)
            fields_fail(f, "after", ERR_BAD_REQUEST,
                        "must hold numbers of earlier launches, counted from 0");
        else if (before[k].stream == l->stream)
            fields_fail(f, "after", ERR_BAD_REQUEST,
                        "names launch %d, which is on the same stream and waited for anyway",
                        (int)k);
        else if (l->after >> k & 1)
            fields_fail(f, "after", ERR_BAD_REQUEST, "names launch %d twice", (int)k);
        else
            l->after |= (uint64_t)1 << k;
    }
}

static void decode_launch(struct msg_launch *l, const struct fields *f, const struct msg_measure *m,
                          const struct msg_shape *s)
{
    static const int64_t grid_most[3] = {INT32_MAX, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    enum { THREADS_MOST = 1024, SHARED_MOST = 1 << 20 };
    fields_only(f, "source kernel grid block shared args stream after cluster cooperative "
                   "programmatic rank");
    fields_name(f, "source", l->source, sizeof l->source);
    if (!f->state->code && !msg_source_find(m, l->source))
        fields_fail(f, "source", ERR_BAD_REQUEST, "names no source: %s", l->source);
    fields_name(f, "kernel", l->kernel, sizeof l->kernel);
    decode_extent(l->grid, f, "grid", grid_most);
    decode_extent(l->block, f, "block", block_most);
    if ((uint64_t)l->block[0] * l->block[1] * l->block[2] > THREADS_MOST)
        fields_fail(f, "block", ERR_TOO_LARGE, "has more than %d threads", THREADS_MOST);
    if (fields_has(f, "shared"))
        l->shared = (uint32_t)fields_whole(f, "shared", 0, SHARED_MOST);
    decode_cluster(l, f);
    l->cooperative = fields_has(f, "cooperative") && fields_bool(f, "cooperative");
    l->programmatic = fields_has(f, "programmatic") && fields_bool(f, "programmatic");
    if (fields_has(f, "stream"))
        l->stream = (int)fields_whole(f, "stream", 0, CAP_STREAMS - 1);
    l->only = rank_decode(f, m->ranks);
    json_t *args = fields_array(f, "args", CAP_ARGS);
    for (size_t i = 0; i < json_array_size(args); i++) {
        struct fields a = fields_enter(f, json_array_get(args, i), "args[%zu]", i);
        l->args[l->n_args++] = arg_decode(&a, s, m->ranks);
    }
}

/* One of a run's list: a launch, or another step of the host. */
static void decode_step(struct msg_run *r, const struct fields *f, const struct msg_measure *m,
                        const struct msg_shape *s)
{
    struct msg_step *step = &r->steps[r->n_steps++];
    if (fields_has(f, "step") && !transfer_is(f)) {
        step_decode(step, f, s, m->ranks);
        return;
    }
    if (r->n_launches == CAP_LAUNCHES) {
        fields_fail(f, NULL, ERR_TOO_LARGE, "is one launch too many, the cap is %d", CAP_LAUNCHES);
        return;
    }
    *step = (struct msg_step){.kind = HOST_LAUNCH, .launch = r->n_launches};
    struct msg_launch *l = &r->launches[r->n_launches];
    if (transfer_is(f))
        transfer_decode(l, f, s, m->ranks);
    else
        decode_launch(l, f, m, s);
    decode_after(l, f, r->launches, r->n_launches);
    r->n_launches++;
}

/* The graph that a launch is part of: the step that captures it; -1: none. */
static int graph_of(const struct msg_run *r, int launch)
{
    int graph = -1;
    for (int i = 0; i < r->n_steps; i++) {
        const struct msg_step *s = &r->steps[i];
        if (s->kind == HOST_CAPTURE || s->kind == HOST_REPLAY)
            graph = s->kind == HOST_CAPTURE ? i : -1;
        if (s->kind == HOST_LAUNCH && s->launch == launch)
            return graph;
    }
    return graph;
}

/* An event of a capture means nothing outside of it, and the other way round. */
static void check_graphs(const struct msg_run *r, const struct fields *f, const char *id)
{
    for (int i = 0; i < r->n_launches; i++)
        for (int k = 0; k < i && !f->state->code; k++)
            if (r->launches[i].after >> k & 1 && graph_of(r, i) != graph_of(r, k))
                fields_fail(f, id, ERR_BAD_REQUEST,
                            "has launch %d wait for launch %d, which is not in the same graph", i,
                            k);
    for (int i = 0; i < r->n_launches && !f->state->code; i++)
        if (r->launches[i].transfer.kind && graph_of(r, i) >= 0)
            fields_fail(f, id, ERR_BAD_REQUEST, "has %s in a graph, where only kernels may be",
                        r->launches[i].kernel);
}

static bool has_kernel(const struct msg_run *r)
{
    bool has = false;
    for (int i = 0; i < r->n_launches; i++)
        has = has || !r->launches[i].transfer.kind;
    return has;
}

/* A run of nothing but launches has no steps of its own. */
static void settle_steps(struct msg_run *r, const struct fields *f, const char *id)
{
    int at = 0;
    const char *fault = f->state->code ? NULL : steps_fault(r->steps, r->n_steps, &at);
    if (fault) {
        struct fields step = fields_enter(f, f->object, "%s[%d]", id, at);
        fields_fail(&step, NULL, ERR_BAD_REQUEST, "%s", fault);
    }
    check_graphs(r, f, id);
    if (!f->state->code && !has_kernel(r))
        fields_fail(f, id, ERR_BAD_REQUEST, "launches no kernel");
    if (r->n_steps == r->n_launches) {
        free(r->steps);
        r->steps = NULL;
        r->n_steps = 0;
    }
}

static void decode_run(struct msg_run *r, const struct fields *f, const char *id, json_t *list,
                       const struct msg_measure *m, const struct msg_shape *s)
{
    size_t n = json_array_size(list);
    fields_check_name(f, id, sizeof r->id);
    if (!json_is_array(list) || n == 0)
        fields_fail(f, id, ERR_BAD_REQUEST, "must be an array of launches, not empty");
    else if (n > CAP_STEPS)
        fields_fail(f, id, ERR_TOO_LARGE, "has %zu steps, the cap is %d", n, CAP_STEPS);
    if (f->state->code)
        return;
    strcpy(r->id, id);
    r->launches = mem_new(n, sizeof *r->launches);
    r->steps = mem_new(n, sizeof *r->steps);
    for (size_t i = 0; i < n && !f->state->code; i++) {
        struct fields l = fields_enter(f, json_array_get(list, i), "%s[%zu]", id, i);
        decode_step(r, &l, m, s);
    }
    settle_steps(r, f, id);
}

static void decode_runs(struct msg_shape *s, const struct fields *f, const struct msg_measure *m)
{
    json_t *all = fields_object(f, "runs", CAP_RUNS), *list;
    struct fields inside = fields_enter(f, all, "runs");
    const char *id;
    s->runs = mem_new(json_object_size(all), sizeof *s->runs);
    json_object_foreach(all, id, list)
        decode_run(&s->runs[s->n_runs++], &inside, id, list, m, s);
}

/* A define becomes text of the source that no scan sees: a number or words, none that asks for
 * files, no quote, no comment, no bracket, nothing that ends a line. */
static void decode_define(struct msg_define *d, const struct fields *f, const char *name)
{
    fields_check_name(f, name, sizeof d->name);
    fields_text(f, name, d->value, sizeof d->value);
    for (const char *c = d->value; *c && !f->state->code; c++)
        if ((unsigned char)*c >= 0x80 || (!isalnum((unsigned char)*c) && !strchr("_.+- ", *c)))
            fields_fail(f, name, ERR_BAD_REQUEST, "may hold letters, digits, blanks and _.+- only");
    if (!f->state->code && (token_forbidden(name) || token_forbidden(d->value)))
        fields_fail(f, name, ERR_BAD_REQUEST,
                    "names what a source may not hold (files, lines or times)");
    if (!f->state->code)
        strcpy(d->name, name);
}

void defines_decode(struct msg_define **out, int *n, const struct fields *f)
{
    if (!fields_has(f, "define"))
        return;
    json_t *all = fields_object(f, "define", CAP_DEFINES), *value;
    struct fields inside = fields_enter(f, all, "define");
    const char *name;
    *out = mem_new(json_object_size(all), sizeof **out);
    json_object_foreach(all, name, value)
        decode_define(&(*out)[(*n)++], &inside, name);
}

static void check_work(const void *whole, const struct fields *f)
{
    const struct msg_work *w = whole;
    if (w->bytes < 0 || w->flops < 0)
        fields_fail(f, NULL, ERR_BAD_REQUEST, "is negative");
}

static const struct row work_rows[] = {
    {"bytes", ROW_NUMBER, MEMBER(struct msg_work, bytes)},
    {"flops", ROW_NUMBER, MEMBER(struct msg_work, flops)},
};
const struct codec work_codec = {
    CODEC(struct msg_work, work_rows), .strict = true, .check = check_work,
};

static void decode_work(struct msg_work *w, const struct fields *parent)
{
    struct fields f = fields_enter(parent, fields_object(parent, "work", 2), "work");
    codec_take(w, &work_codec, &f);
}

enum { REGISTERS_LEAST = 16, REGISTERS_MOST = 255 };

static void decode_shape(struct msg_shape *s, const struct fields *f, const struct msg_measure *m)
{
    decode_buffers(s, f);
    decode_runs(s, f, m);
    defines_decode(&s->define, &s->n_define, f);
    decode_work(&s->work, f);
    if (fields_has(f, "registers"))
        s->registers = (int)fields_whole(f, "registers", REGISTERS_LEAST, REGISTERS_MOST);
}

/* A source's name is shown in messages and never opened. */
static bool is_file_name(const char *s)
{
    bool ok = isalnum((unsigned char)*s);
    for (; *s; s++)
        ok = ok && (unsigned char)*s < 0x80 && (isalnum((unsigned char)*s) || strchr("._-", *s));
    return ok;
}

static void decode_hash(char out[65], const struct fields *f, const char *key, const char *of,
                        const char *what)
{
    char now[65];
    fields_text(f, key, out, 65);
    if (f->state->code)
        return;
    hash_bytes(now, of, strlen(of));
    if (strcmp(now, out) != 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "is not the SHA-256 of %s, which is %s", what, now);
}

static void decode_image(struct msg_image *image, const struct fields *f, const char *text)
{
    fields_only(f, "ptx sha256 of");
    const char *ptx = fields_string(f, "ptx");
    if (strlen(ptx) > CAP_IMAGE_BYTES)
        fields_fail(f, "ptx", ERR_TOO_LARGE, "is longer than %d bytes", CAP_IMAGE_BYTES);
    decode_hash(image->sha256, f, "sha256", ptx, "the PTX");
    decode_hash(image->of, f, "of", text, "the text from which the image is said to come");
    if (!f->state->code)
        image->ptx = text_dup(ptx);
}

static void decode_source(struct msg_source *s, const struct fields *f, const char *id)
{
    fields_check_name(f, id, sizeof s->id);
    fields_only(f, "name text image exact stateless");
    fields_text(f, "name", s->name, sizeof s->name);
    if (!is_file_name(s->name))
        fields_fail(f, "name", ERR_BAD_REQUEST, "must be a plain file name");
    const char *text = fields_string(f, "text");
    if (strlen(text) > CAP_SOURCE_BYTES)
        fields_fail(f, "text", ERR_TOO_LARGE, "is longer than %d bytes", CAP_SOURCE_BYTES);
    s->exact = fields_has(f, "exact") && fields_bool(f, "exact");
    s->stateless = fields_has(f, "stateless") && fields_bool(f, "stateless");
    if (fields_has(f, "image")) {
        struct fields image = fields_enter(f, json_object_get(f->object, "image"), "image");
        decode_image(&s->image, &image, text);
    }
    if (f->state->code)
        return;
    strcpy(s->id, id);
    s->text = text_dup(text);
}

void sources_free(struct msg_source *sources, int n)
{
    for (int i = 0; i < n; i++) {
        free(sources[i].text);
        free(sources[i].image.ptx);
    }
    free(sources);
}

void sources_decode(struct msg_source **out, int *n, const struct fields *f)
{
    json_t *all = fields_object(f, "sources", CAP_SOURCES), *value;
    struct fields inside = fields_enter(f, all, "sources");
    const char *id;
    *out = mem_new(json_object_size(all), sizeof **out);
    json_object_foreach(all, id, value) {
        struct fields one = fields_enter(&inside, value, "%s", id);
        decode_source(&(*out)[(*n)++], &one, id);
    }
}

static void check_tolerance(const void *whole, const struct fields *f)
{
    const struct msg_tolerance *t = whole;
    if (t->rel < 0 || t->abs < 0)
        fields_fail(f, NULL, ERR_BAD_REQUEST, "is negative");
}

static const struct row tolerance_rows[] = {
    {"kind", ROW_CHOICE, MEMBER(struct msg_tolerance, kind), .high = 2, .names = tolerance_names},
    {"rel", ROW_NUMBER, MEMBER(struct msg_tolerance, rel), .cases = 1 << TOL_RELATIVE},
    {"abs", ROW_NUMBER, MEMBER(struct msg_tolerance, abs), .cases = 1 << TOL_RELATIVE},
};
const struct codec tolerance_codec = {
    CODEC(struct msg_tolerance, tolerance_rows),
    .strict = true, .tagged = true, .check = check_tolerance,
};

static void decode_tolerance(struct msg_tolerance *t, const struct fields *parent)
{
    if (!fields_has(parent, "tolerance"))
        return;
    struct fields f = fields_enter(parent, fields_object(parent, "tolerance", 3), "tolerance");
    codec_take(t, &tolerance_codec, &f);
}

static void decode_run_name(char out[16], const struct fields *f, const char *key, const char *id,
                            const struct msg_shape *s)
{
    if (!f->state->code && !msg_run_find(s, id))
        fields_fail(f, key, ERR_BAD_REQUEST, "names no run: \"%.64s\"", id);
    else if (!f->state->code)
        strcpy(out, id);
}

static void decode_item_runs(struct msg_item *it, const struct fields *f, const struct msg_shape *s)
{
    json_t *list = fields_array(f, "runs", it->probe == PROBE_TIMING ? 2 : CAP_ITEM_RUNS);
    if (list && json_array_size(list) == 0)
        fields_fail(f, "runs", ERR_BAD_REQUEST, "is empty");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_string_value(json_array_get(list, i));
        decode_run_name(it->runs[i], f, "runs", id ? id : "", s);
        it->n_runs++;
        for (size_t k = 0; k < i; k++)
            if (!f->state->code && !strcmp(it->runs[k], it->runs[i]))
                fields_fail(f, "runs", ERR_BAD_REQUEST, "names a run twice: %s", it->runs[i]);
    }
}

static bool decode_tool(void *slot, const struct fields *f, const char *key, json_t *value)
{
    (void)value;
    strcpy(slot, tool_names[fields_choice(f, key, tool_names, TOOLS)]);
    return true;
}

static json_t *encode_item_runs(const void *slot)
{
    const struct msg_item *it = slot;
    json_t *runs = json_array();
    for (int i = 0; i < it->n_runs; i++)
        json_array_append_new(runs, json_string(it->runs[i]));
    return runs;
}

enum {
    BALLAST_MOST = 1 << 20,
    OFFSET_MOST = 256,
    REPEAT_LEAST = 2,
    REPEAT_MOST = 100,
    LIMIT_LEAST_MS = 100,
    LIMIT_MOST_MS = 60000
};

static const struct row_own tool_own = {.read = decode_tool, .write = codec_write_text};
static json_t *encode_baseline(const void *slot)
{
    const struct msg_baseline *b = slot;
    if (!*b->run)
        return NULL;
    json_t *out = json_pack("{s:s}", "run", b->run);
    json_object_set_new(out, "benchmark", codec_write(&b->care, &benchmark_codec));
    return out;
}

static const struct row_own baseline_own = {.write = encode_baseline};
static const struct row_own item_runs_own = {.write = encode_item_runs};
static const struct row_own against_own = {.write = codec_write_text};

/* Runs and the baseline are read by decode_item, which knows those there are. */
static const struct row item_rows[] = {
    {"probe", ROW_OWN, MEMBER(struct msg_item, probe), .own = &probe_own},
    {"runs", ROW_OWN, .own = &item_runs_own},
    {"variant", ROW_WHOLE, ROW_OPTIONAL, MEMBER(struct msg_item, variant),
     .high = CAP_VARIANTS - 1, .absent = -1},
    {"against", ROW_OWN, MEMBER(struct msg_item, against), .own = &against_own,
     .cases = 1 << PROBE_CHECK | 1 << PROBE_POISON | 1 << PROBE_BENCHMARK | 1 << PROBE_TIMING},
    {"cache", ROW_CHOICE, ROW_WRITTEN, MEMBER(struct msg_item, cache),
     .high = 2, .names = cache_names, .cases = 1 << PROBE_TIMING},
    {"ballast", ROW_WHOLE, ROW_OPTIONAL, MEMBER(struct msg_item, ballast),
     .high = BALLAST_MOST, .cases = 1 << PROBE_TIMING},
    {"offset", ROW_WHOLE, ROW_OPTIONAL, MEMBER(struct msg_item, offset),
     .high = OFFSET_MOST, .cases = 1 << PROBE_CHECK},
    {"fence", ROW_BOOL, ROW_OPTIONAL, MEMBER(struct msg_item, fence), .cases = 1 << PROBE_CHECK},
    {"repeat", ROW_WHOLE, MEMBER(struct msg_item, repeat),
     .low = REPEAT_LEAST, .high = REPEAT_MOST, .cases = 1 << PROBE_REPEAT},
    {"tool", ROW_OWN, MEMBER(struct msg_item, tool), .own = &tool_own,
     .cases = 1 << PROBE_SANITIZE},
    {"benchmark", ROW_OBJECT, MEMBER(struct msg_item, benchmark), .high = BENCHMARK_FIELDS,
     .of = &benchmark_codec, .cases = 1 << PROBE_BENCHMARK},
    {"baseline", ROW_OWN, MEMBER(struct msg_item, baseline), .own = &baseline_own,
     .cases = 1 << PROBE_BENCHMARK},
    {"limit_ms", ROW_WHOLE, MEMBER(struct msg_item, limit_ms),
     .low = LIMIT_LEAST_MS, .high = LIMIT_MOST_MS, .cases = 1 << PROBE_OUTCOME},
};
const struct codec item_codec = {
    CODEC(struct msg_item, item_rows), .strict = true, .tagged = true,
};

static bool is_compared(const struct msg_item *it)
{
    return it->probe == PROBE_CHECK || it->probe == PROBE_POISON || it->probe == PROBE_BENCHMARK;
}

/* What would have to be watched or moved on each GPU at once. */
static bool is_of_ranks(const struct msg_item *it)
{
    return it->probe != PROBE_POISON && it->probe != PROBE_SANITIZE &&
           it->probe != PROBE_BENCHMARK && it->probe != PROBE_OUTCOME && !it->offset &&
           !it->fence;
}

/* What the host does is the benchmark's to say. */
static void check_benchmark_runs(const struct msg_item *it, const struct fields *f,
                                 const struct msg_shape *s)
{
    for (int i = 0; i < it->n_runs && !f->state->code; i++)
        if (msg_run_find(s, it->runs[i])->n_steps)
            fields_fail(f, "runs", ERR_BAD_REQUEST,
                        "names run %s, whose host does more than launch: a benchmark cannot time "
                        "that",
                        it->runs[i]);
}

/* It computes the same from the same inputs on the same stream; only the care may differ. */
static void decode_baseline(struct msg_item *it, const struct fields *parent,
                            const struct msg_shape *s)
{
    struct msg_baseline *b = &it->baseline;
    if (!fields_has(parent, "baseline"))
        return;
    struct fields f = fields_enter(parent, fields_object(parent, "baseline", 2), "baseline");
    fields_only(&f, "run benchmark");
    decode_run_name(b->run, &f, "run", fields_string(&f, "run"), s);
    json_t *care = fields_object(&f, "benchmark", BENCHMARK_FIELDS);
    if (!f.state->code) {
        struct fields inside = fields_enter(&f, care, "benchmark");
        codec_take(&b->care, &benchmark_codec, &inside);
    }
    if (!f.state->code &&
        (b->care.inputs != it->benchmark.inputs || b->care.stream != it->benchmark.stream))
        fields_fail(&f, "benchmark", ERR_BAD_REQUEST,
                    "has other inputs, or another stream, than the runs that are compared with it");
}

static void decode_item(struct msg_item *it, const struct fields *f, const struct msg_measure *m)
{
    it->variant = -1;
    codec_take(it, &item_codec, f);
    if (it->variant >= m->n_variants)
        fields_fail(f, "variant", ERR_BAD_REQUEST, "is %d, of %d variants", it->variant,
                    m->n_variants);
    const struct msg_shape *s = msg_shape_of(m, it->variant);
    decode_item_runs(it, f, s);
    if (is_compared(it) || fields_has(f, "against"))
        decode_run_name(it->against, f, "against", fields_string(f, "against"), s);
    if (it->probe == PROBE_BENCHMARK) {
        check_benchmark_runs(it, f, s);
        decode_baseline(it, f, s);
    }
    if (m->ranks > 1 && !is_of_ranks(it))
        fields_fail(f, "probe", ERR_BAD_REQUEST, "is not to be had of several ranks: %s%s",
                    wire_probe_name(it->probe), it->offset || it->fence ? " at moved bases" : "");
}

static void decode_lists(struct msg_measure *m, const struct fields *f)
{
    json_t *variants = fields_has(f, "variants") ? fields_array(f, "variants", CAP_VARIANTS) : NULL;
    m->variants = mem_new(json_array_size(variants), sizeof *m->variants);
    for (size_t i = 0; i < json_array_size(variants); i++) {
        struct fields v = fields_enter(f, json_array_get(variants, i), "variants[%zu]", i);
        fields_only(&v, "buffers runs define work registers");
        decode_shape(&m->variants[m->n_variants++], &v, m);
    }
    json_t *items = fields_array(f, "items", CAP_ITEMS);
    if (items && json_array_size(items) == 0)
        fields_fail(f, "items", ERR_BAD_REQUEST, "is empty");
    m->items = mem_new(json_array_size(items), sizeof *m->items);
    for (size_t i = 0; i < json_array_size(items); i++) {
        struct fields it = fields_enter(f, json_array_get(items, i), "items[%zu]", i);
        decode_item(&m->items[m->n_items++], &it, m);
    }
}

int msg_measure_decode(struct msg_measure *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_measure m = {0};
    fields_only(&f, "type id deadline_ms seed ranks sources define buffers runs registers variants "
                    "work tolerance items");
    m.id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    m.deadline_ms = fields_whole(&f, "deadline_ms", CAP_DEADLINE_MIN_MS, CAP_DEADLINE_MAX_MS);
    if (fields_has(&f, "seed"))
        m.seed = (uint64_t)fields_whole(&f, "seed", 0, FIELDS_WHOLE_MAX - 1);
    m.ranks = fields_has(&f, "ranks") ? (int)fields_whole(&f, "ranks", 1, CAP_RANKS) : 1;
    sources_decode(&m.sources, &m.n_sources, &f);
    decode_shape(&m.base, &f, &m);
    decode_tolerance(&m.tolerance, &f);
    decode_lists(&m, &f);
    if (state.code)
        msg_measure_free(&m);
    *out = m;
    return state.code;
}

/* ---- looking things up ---- */

const struct msg_shape *msg_shape_of(const struct msg_measure *m, int variant)
{
    return variant < 0 || variant >= m->n_variants ? &m->base : &m->variants[variant];
}

const struct msg_run *msg_run_find(const struct msg_shape *s, const char *id)
{
    for (int i = 0; i < s->n_runs; i++)
        if (!strcmp(s->runs[i].id, id))
            return &s->runs[i];
    return NULL;
}

const struct msg_launch *msg_run_first(const struct msg_run *r)
{
    const struct msg_launch *l = r->launches;
    while (l->transfer.kind)
        l++;
    return l;
}

const struct msg_source *msg_source_find(const struct msg_measure *m, const char *id)
{
    for (int i = 0; i < m->n_sources; i++)
        if (!strcmp(m->sources[i].id, id))
            return &m->sources[i];
    return NULL;
}

static void free_shape(struct msg_shape *s)
{
    for (int i = 0; i < s->n_runs; i++)
        free(s->runs[i].launches), free(s->runs[i].steps);
    free(s->runs);
    free(s->buffers);
    free(s->define);
}

void msg_measure_free(struct msg_measure *m)
{
    if (!m)
        return;
    sources_free(m->sources, m->n_sources);
    free_shape(&m->base);
    for (int i = 0; i < m->n_variants; i++)
        free_shape(&m->variants[i]);
    free(m->variants);
    free(m->items);
    *m = (struct msg_measure){0};
}
