#include "scenarios/check/checker_sizes_for.h"

#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"

static double bytes_of(const struct msg_buffer *b)
{
    return (double)b->count * (double)elem_size(b->type);
}

static double bytes_of_all(const struct msg_shape *shape)
{
    double bytes = 0;
    for (int i = 0; i < shape->n_buffers; i++)
        bytes += bytes_of(&shape->buffers[i]);
    return bytes;
}

static json_t *encode_params(const struct story *s, const int64_t *values)
{
    json_t *out = json_object();
    for (int i = 0; i < s->n_params; i++)
        json_object_set_new(out, s->params[i].name, json_integer(values[i]));
    return out;
}

static json_t *encode_buffers(const struct msg_shape *shape)
{
    json_t *list = json_array();
    for (int i = 0; i < shape->n_buffers; i++) {
        const struct msg_buffer *b = &shape->buffers[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:f}", "name", b->name, "type",
                                              elem_name(b->type), "count", (json_int_t)b->count,
                                              "bytes", bytes_of(b)));
    }
    return list;
}

static json_t *encode_extent(const uint32_t of[3])
{
    return json_pack("[I, I, I]", (json_int_t)of[0], (json_int_t)of[1], (json_int_t)of[2]);
}

static json_t *encode_launches(const struct variant *v, const struct msg_shape *shape)
{
    json_t *list = json_array();
    for (int i = 0; i < shape->n_runs; i++)
        for (int k = 0; k < shape->runs[i].n_launches; k++) {
            const struct msg_launch *l = &shape->runs[i].launches[k];
            if (l->transfer.kind)
                continue;
            json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:I}", "source",
                                                  source_name(v->kind, shape->runs[i].id),
                                                  "kernel", l->kernel, "grid",
                                                  encode_extent(l->grid), "block",
                                                  encode_extent(l->block), "shared",
                                                  (json_int_t)l->shared));
        }
    return list;
}

/* A step that cannot be worked out is left out here; it is a finding. */
static void add_step(json_t *list, const struct variant *v, const struct msg_device *device,
                     const struct experiment *x, int step, const int64_t *own, int64_t *values)
{
    const struct story *s = v->story;
    struct msg_measure m = {0};
    struct err err = {0};
    int64_t value = 0;
    char label[96];
    if (size_whole(s, device, own, &x->over[step], &value, NULL) == 0 &&
        size_params(s, device, x->vary, value, values, NULL) == 0 &&
        request_shape(&m.base, v, device, values, "a", &err) == 0) {
        request_step_label(label, sizeof label, s, device, x, step);
        json_array_append_new(list, json_pack("{s:s, s:s, s:f}", "experiment", x->id, "label",
                                              label, "bytes", bytes_of_all(&m.base)));
    }
    msg_measure_free(&m);
}

static json_t *encode_steps(const struct variant *v, const struct msg_device *device,
                            const int64_t *own)
{
    const struct story *s = v->story;
    json_t *list = json_array();
    int64_t *values = mem_new((size_t)s->n_params, sizeof *values);
    for (int i = 0; i < s->n_experiments; i++)
        for (int k = 0; s->experiments[i].kind == EXPERIMENT_SWEEP && k < s->experiments[i].n_steps;
             k++)
            add_step(list, v, device, &s->experiments[i], k, own, values);
    free(values);
    return list;
}

json_t *sizes_for(const struct variant *v, const struct msg_device *device)
{
    const struct story *s = v->story;
    struct msg_measure m = {0};
    struct err err = {0};
    json_t *out = NULL;
    double memory = 0;
    const char *runs = v->sealed ? "a" : variant_runs(v);
    if (story_is_case(s))
        return NULL;
    int64_t *own = mem_new((size_t)s->n_params, sizeof *own);
    msg_device_number(device, "mem_bytes", &memory);
    if (size_params(s, device, -1, 0, own, NULL) == 0 &&
        request_shape(&m.base, v, device, own, runs, &err) == 0)
        out = json_pack("{s:s, s:s, s:o, s:o, s:f, s:f, s:o, s:o}", "scenario", v->full_id, "gpu",
                        device->slug, "params", encode_params(s, own), "buffers",
                        encode_buffers(&m.base), "bytes", bytes_of_all(&m.base), "memory", memory,
                        "launches", encode_launches(v, &m.base), "steps",
                        encode_steps(v, device, own));
    msg_measure_free(&m);
    free(own);
    return out;
}
