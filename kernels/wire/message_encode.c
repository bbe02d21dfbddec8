/* The measure request on its way out, and the key of an item's evidence, which is made of the same
 * pieces. */
#include "kernels/wire/message.h"

#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/message_names.h"
#include "kernels/wire/token.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *encode_extent(const uint32_t n[3])
{
    json_t *list = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(list, json_integer(n[i]));
    return list;
}

static json_t *encode_after(uint64_t after)
{
    json_t *list = json_array();
    for (int k = 0; k < CAP_LAUNCHES; k++)
        if (after >> k & 1)
            json_array_append_new(list, json_integer(k));
    return list;
}

static json_t *encode_kernel(const struct msg_launch *l, const struct msg_shape *s)
{
    json_t *o = json_object(), *args = json_array();
    for (int i = 0; i < l->n_args; i++)
        json_array_append_new(args, arg_encode(&l->args[i], s));
    set(o, "source", json_string(l->source));
    set(o, "kernel", json_string(l->kernel));
    set(o, "grid", encode_extent(l->grid));
    set(o, "block", encode_extent(l->block));
    set(o, "shared", json_integer(l->shared));
    set(o, "args", args);
    if (l->cluster[0])
        set(o, "cluster", encode_extent(l->cluster));
    if (l->cooperative)
        set(o, "cooperative", json_true());
    if (l->programmatic)
        set(o, "programmatic", json_true());
    return o;
}

static json_t *encode_launch(const struct msg_launch *l, const struct msg_shape *s)
{
    json_t *o = l->transfer.kind ? transfer_encode(l, s) : encode_kernel(l, s);
    if (l->stream)
        set(o, "stream", json_integer(l->stream));
    if (l->after)
        set(o, "after", encode_after(l->after));
    if (l->only)
        set(o, "rank", json_integer(l->only - 1));
    return o;
}

static json_t *encode_run(const struct msg_run *r, const struct msg_shape *s)
{
    json_t *list = json_array();
    for (int i = 0; i < r->n_launches && !r->n_steps; i++)
        json_array_append_new(list, encode_launch(&r->launches[i], s));
    for (int i = 0; i < r->n_steps; i++)
        json_array_append_new(list, r->steps[i].kind == HOST_LAUNCH
                                        ? encode_launch(&r->launches[r->steps[i].launch], s)
                                        : step_encode(&r->steps[i], s));
    return list;
}

json_t *defines_encode(const struct msg_define *define, int n)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++)
        set(o, define[i].name, json_string(define[i].value));
    return o;
}

json_t *sources_encode(const struct msg_source *sources, int n)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) {
        const struct msg_image *image = &sources[i].image;
        json_t *one = json_pack("{s:s, s:s}", "name", sources[i].name, "text", sources[i].text);
        if (sources[i].exact)
            set(one, "exact", json_true());
        if (sources[i].stateless)
            set(one, "stateless", json_true());
        if (image->ptx)
            set(one, "image", json_pack("{s:s, s:s, s:s}", "ptx", image->ptx, "sha256",
                                        image->sha256, "of", image->of));
        set(o, sources[i].id, one);
    }
    return o;
}

static void encode_shape(json_t *o, const struct msg_shape *s)
{
    json_t *buffers = json_array(), *runs = json_object();
    for (int i = 0; i < s->n_buffers; i++)
        json_array_append_new(buffers, codec_write(&s->buffers[i], &buffer_codec));
    for (int i = 0; i < s->n_runs; i++)
        set(runs, s->runs[i].id, encode_run(&s->runs[i], s));
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

/* ---- the key of an item's evidence ---- */

/* The hash of a source's tokens, of its image where it has one, worked out once; NULL with an
 * error. */
static const char *source_key(const struct msg_measure *m, const char *id, struct err *err)
{
    for (int i = 0; i < m->n_sources; i++) {
        struct msg_source *s = &m->sources[i];
        if (!strcmp(s->id, id) && s->image.ptx && !*s->key)
            hash_bytes(s->key, s->image.ptx, strlen(s->image.ptx));
        if (!strcmp(s->id, id))
            return *s->key || !token_hash(s->key, s->text, strlen(s->text), err) ? s->key : NULL;
    }
    return NULL;
}

static void add_buffer(json_t *buffers, const struct msg_buffer *b)
{
    set(buffers, b->name, codec_write(b, &buffer_codec));
}

/* Where a launch stands in the encoded list. */
static int run_place(const struct msg_run *r, int launch)
{
    for (int i = 0; i < r->n_steps; i++)
        if (r->steps[i].kind == HOST_LAUNCH && r->steps[i].launch == launch)
            return i;
    return launch;
}

/* One run with the hash of each source in place of its id, since ids and names are the pack's own.
 */
static json_t *key_run(const struct msg_measure *m, const struct msg_shape *s, const char *id,
                       json_t *buffers, struct err *err)
{
    const struct msg_run *r = msg_run_find(s, id);
    json_t *list = r ? encode_run(r, s) : NULL;
    for (int i = 0; list && i < r->n_launches; i++) {
        const struct msg_launch *l = &r->launches[i];
        if (l->transfer.kind) {
            add_buffer(buffers, &s->buffers[l->transfer.from]);
            add_buffer(buffers, &s->buffers[l->transfer.to]);
            continue;
        }
        const char *key = source_key(m, l->source, err);
        if (!key) {
            json_decref(list);
            return NULL;
        }
        set(json_array_get(list, (size_t)run_place(r, i)), "source", json_string(key));
        for (int k = 0; k < l->n_args; k++)
            if (l->args[k].kind == ARG_BUFFER || l->args[k].kind == ARG_PEER)
                add_buffer(buffers, &s->buffers[l->args[k].buffer]);
    }
    return list;
}

int msg_item_key(char out[65], const struct msg_measure *m, int item, struct err *err)
{
    const struct msg_item *it = &m->items[item];
    const struct msg_shape *s = msg_shape_of(m, it->variant);
    json_t *key = codec_write(it, &item_codec), *runs = json_object(), *buffers = json_object();
    int rc = 0;
    json_object_del(key, "variant"); /* an index; its content is in the rest */
    for (int i = 0; i <= it->n_runs + 1 && !rc; i++) {
        const char *id = i < it->n_runs    ? it->runs[i]
                         : i == it->n_runs ? it->against
                                           : it->baseline.run;
        if (*id && json_object_set_new(runs, id, key_run(m, s, id, buffers, err)))
            rc = err && err->code ? err->code
                                  : err_set(err, ERR_BAD_REQUEST, "run %s cannot be keyed", id);
    }
    set(key, "launches", runs);
    set(key, "buffers", buffers);
    set(key, "define", defines_encode(s->define, s->n_define));
    set(key, "work", codec_write(&s->work, &work_codec));
    if (s->registers)
        set(key, "registers", json_integer(s->registers));
    if (m->ranks > 1)
        set(key, "ranks", json_integer(m->ranks));
    if (*it->against)
        set(key, "tolerance", codec_write(&m->tolerance, &tolerance_codec));
    if (!rc)
        hash_json(out, key);
    json_decref(key);
    return rc;
}
