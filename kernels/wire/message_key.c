/* The key of an item's evidence: the hash of everything that its measurement depends on. */
#include "kernels/wire/message_measure.h"

#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/message_names.h"
#include "kernels/wire/token.h"

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
    json_t *list = r ? run_encode(r, s) : NULL;
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
