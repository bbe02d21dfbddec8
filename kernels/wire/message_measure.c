/* The measure request as a whole: decoding is strict, so that no option is silently ignored. Its
 * parts are in message_sources.c, message_buffers.c, message_runs.c and message_items.c. */
#include "kernels/wire/message_measure.h"

#include <stdlib.h>

#include "kernels/wire/message_names.h"
#include "kernels/wire/text.h"

/* ---- shapes ---- */

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
    buffers_decode(s, f);
    runs_decode(s, f, m);
    defines_decode(&s->define, &s->n_define, f);
    decode_work(&s->work, f);
    if (fields_has(f, "registers"))
        s->registers = (int)fields_whole(f, "registers", REGISTERS_LEAST, REGISTERS_MOST);
}

static void free_shape(struct msg_shape *s)
{
    for (int i = 0; i < s->n_runs; i++)
        free(s->runs[i].launches), free(s->runs[i].steps);
    free(s->runs);
    free(s->buffers);
    free(s->define);
}

/* ---- the request ---- */

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
        item_decode(&m->items[m->n_items++], &it, m);
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
    tolerance_decode(&m.tolerance, &f);
    decode_lists(&m, &f);
    if (state.code)
        msg_measure_free(&m);
    *out = m;
    return state.code;
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

/* ---- on the way out ---- */

static void encode_shape(json_t *o, const struct msg_shape *s)
{
    json_t *buffers = json_array(), *runs = json_object();
    for (int i = 0; i < s->n_buffers; i++)
        json_array_append_new(buffers, codec_write(&s->buffers[i], &buffer_codec));
    for (int i = 0; i < s->n_runs; i++)
        set(runs, s->runs[i].id, run_encode(&s->runs[i], s));
    set(o, "buffers", buffers);
    set(o, "runs", runs);
    set(o, "define", defines_encode(s->define, s->n_define));
    set(o, "work", codec_write(&s->work, &work_codec));
    if (s->registers)
        set(o, "registers", json_integer(s->registers));
}

json_t *msg_measure_encode(const struct msg_measure *m)
{
    json_t *o = json_pack("{s:s, s:I, s:I, s:I}", "type", "measure", "id", (json_int_t)m->id,
                          "deadline_ms", (json_int_t)m->deadline_ms, "seed", (json_int_t)m->seed);
    json_t *variants = json_array(), *items = json_array();
    if (m->ranks > 1)
        set(o, "ranks", json_integer(m->ranks));
    for (int i = 0; i < m->n_variants; i++) {
        json_t *v = json_object();
        encode_shape(v, &m->variants[i]);
        json_array_append_new(variants, v);
    }
    for (int i = 0; i < m->n_items; i++)
        json_array_append_new(items, codec_write(&m->items[i], &item_codec));
    set(o, "sources", sources_encode(m->sources, m->n_sources));
    encode_shape(o, &m->base);
    set(o, "variants", variants);
    set(o, "tolerance", codec_write(&m->tolerance, &tolerance_codec));
    set(o, "items", items);
    return o;
}
