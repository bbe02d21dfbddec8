/* What is asked of the runs of a request: its items, and how far two results may lie apart. */
#include "kernels/wire/message_names.h"

#include <string.h>

/* ---- tolerance ---- */

static const char *const tolerance_names[] = {"exact", "relative"};

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

void tolerance_decode(struct msg_tolerance *t, const struct fields *parent)
{
    if (!fields_has(parent, "tolerance"))
        return;
    struct fields f = fields_enter(parent, fields_object(parent, "tolerance", 3), "tolerance");
    codec_take(t, &tolerance_codec, &f);
}

/* ---- items ---- */

static const char *const cache_names[] = {"cold", "warm"};
enum { TOOLS = 4 }; /* of compute-sanitizer */
static const char *const tool_names[TOOLS] = {"memcheck", "racecheck", "initcheck", "synccheck"};

const struct msg_shape *msg_shape_of(const struct msg_measure *m, int variant)
{
    return variant < 0 || variant >= m->n_variants ? &m->base : &m->variants[variant];
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

static json_t *encode_baseline(const void *slot)
{
    const struct msg_baseline *b = slot;
    if (!*b->run)
        return NULL;
    json_t *out = json_pack("{s:s}", "run", b->run);
    json_object_set_new(out, "benchmark", codec_write(&b->care, &benchmark_codec));
    return out;
}

static const struct row_own tool_own = {.read = decode_tool, .write = codec_write_text};
static const struct row_own baseline_own = {.write = encode_baseline};
static const struct row_own item_runs_own = {.write = encode_item_runs};
static const struct row_own against_own = {.write = codec_write_text};

enum {
    BALLAST_MOST = 1 << 20,
    OFFSET_MOST = 256,
    REPEAT_LEAST = 2,
    REPEAT_MOST = 100,
    LIMIT_LEAST_MS = 100,
    LIMIT_MOST_MS = 60000
};

/* Runs and the baseline are read by item_decode, which knows those there are. */
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

void item_decode(struct msg_item *it, const struct fields *f, const struct msg_measure *m)
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
