/* Arguments of a launch: buffers, numbers, and tensor maps of buffers. */
#include "kernels/wire/message_runs.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/message_names.h"

static const char *const arg_names[ARG_KINDS] = {"buffer", "i32", "i64", "f32",
                                                    "f64",    "map", "rank", "peer"};

bool arg_of_buffer(enum arg_kind kind)
{
    return kind == ARG_BUFFER || kind == ARG_MAP || kind == ARG_PEER;
}

/* ---- tensor maps ---- */

/* Bounds of cuTensorMapEncodeTiled, CUDA driver API. */
static const uint64_t MOST_SIZE = (uint64_t)1 << 32, MOST_PITCH = (uint64_t)1 << 40;
enum { MOST_BOX = 256, GRAIN = 16 };

static bool __attribute__((format(printf, 3, 4))) wrong(char *why, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, size, fmt, args);
    va_end(args);
    return false;
}

static bool pitches_hold(const struct msg_map *m, uint64_t elem, char *why, size_t size)
{
    uint64_t inner = m->size[0] * elem;
    for (int i = 0; i + 1 < m->rank; i++) {
        if (m->pitch[i] % GRAIN || m->pitch[i] >= MOST_PITCH)
            return wrong(why, size, "pitch[%d] is %llu bytes; a multiple of %d below 2^40 was expected",
                         i, (unsigned long long)m->pitch[i], GRAIN);
        if (m->pitch[i] < inner)
            return wrong(why, size, "pitch[%d] is %llu bytes, and what it steps over has %llu", i,
                         (unsigned long long)m->pitch[i], (unsigned long long)inner);
        inner = m->pitch[i] * m->size[i + 1];
    }
    return true;
}

static bool box_holds(const struct msg_map *m, uint64_t elem, char *why, size_t size)
{
    uint64_t bytes = m->box[0] * elem;
    if (bytes % GRAIN)
        return wrong(why, size, "box[0] has %llu bytes; a multiple of %d was expected",
                     (unsigned long long)bytes, GRAIN);
    if (m->swizzle && m->swizzle != 32 && m->swizzle != 64 && m->swizzle != 128)
        return wrong(why, size, "swizzle is %d; 0, 32, 64 or 128 was expected", m->swizzle);
    if (m->swizzle && bytes > (uint64_t)m->swizzle)
        return wrong(why, size, "box[0] has %llu bytes; at most the %d of the swizzle were expected",
                     (unsigned long long)bytes, m->swizzle);
    return true;
}

/* Bytes from the first element to behind the last. What holds keeps it below 2^64: a size has 32
 * bits at most, a pitch 40, and a buffer that is as large is refused before the sum is over. */
static bool lies_within(const struct msg_map *m, uint64_t elem, uint64_t bytes)
{
    uint64_t end = m->size[0] * elem;
    for (int i = 0; i + 1 < m->rank; i++) {
        if (m->pitch[i] && m->size[i + 1] - 1 > bytes / m->pitch[i])
            return false;
        end += (m->size[i + 1] - 1) * m->pitch[i];
    }
    return end <= bytes;
}

bool map_holds(const struct msg_map *m, enum elem_type type, uint64_t count, char *why, size_t size)
{
    uint64_t elem = (uint64_t)elem_size(type);
    for (int i = 0; i < m->rank; i++) {
        if (m->size[i] < 1 || m->size[i] > MOST_SIZE)
            return wrong(why, size, "size[%d] is %llu; 1 to 2^32 was expected", i,
                         (unsigned long long)m->size[i]);
        if (m->box[i] < 1 || m->box[i] > MOST_BOX)
            return wrong(why, size, "box[%d] is %u; 1 to %d was expected", i, (unsigned)m->box[i],
                         MOST_BOX);
    }
    if (!pitches_hold(m, elem, why, size) || !box_holds(m, elem, why, size))
        return false;
    return lies_within(m, elem, count * elem) ||
           wrong(why, size, "it reaches behind the buffer's %llu elements",
                 (unsigned long long)count);
}

static int decode_wholes(uint64_t out[CAP_MAP_RANK], const struct fields *f, const char *key)
{
    json_t *list = fields_array(f, key, CAP_MAP_RANK);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        if (!json_is_integer(value) || json_integer_value(value) < 0 ||
            json_integer_value(value) >= FIELDS_WHOLE_MAX)
            fields_fail(f, key, ERR_BAD_REQUEST, "must hold whole numbers");
        else
            out[i] = (uint64_t)json_integer_value(value);
    }
    return (int)json_array_size(list);
}

static void decode_map(struct msg_map *m, const struct fields *f, const struct msg_buffer *b)
{
    uint64_t box[CAP_MAP_RANK] = {0}, pitch[CAP_MAP_RANK] = {0};
    char why[128];
    m->rank = decode_wholes(m->size, f, "size");
    int pitches = decode_wholes(pitch, f, "pitch"), boxes = decode_wholes(box, f, "box");
    m->swizzle = (int)fields_whole(f, "swizzle", 0, 128);
    if (f->state->code)
        return;
    if (m->rank < 1 || boxes != m->rank || pitches != m->rank - 1) {
        fields_fail(f, NULL, ERR_BAD_REQUEST, "needs as many of size and box, and one pitch less");
        return;
    }
    memcpy(m->pitch, pitch, sizeof m->pitch);
    for (int i = 0; i < m->rank; i++)
        m->box[i] = box[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)box[i];
    if (!map_holds(m, b->type, b->count, why, sizeof why))
        fields_fail(f, NULL, ERR_BAD_REQUEST, "cannot be: %s", why);
}

/* ---- all of them ---- */

/* What only makes sense where there are others. */
static void check_ranks(const struct fields *f, const char *key, enum arg_kind kind, int ranks)
{
    if (ranks < 2)
        fields_fail(f, key, ERR_BAD_REQUEST,
                    "is of a request with several ranks; this one has one");
    else if (kind == ARG_RANK && !fields_bool(f, key))
        fields_fail(f, key, ERR_BAD_REQUEST, "must be true");
}

struct msg_arg arg_decode(const struct fields *f, const struct msg_shape *s, int ranks)
{
    struct msg_arg a = {0};
    bool map = fields_has(f, "map");
    fields_only(f, map ? "map size pitch box swizzle" : "buffer i32 i64 f32 f64 rank peer");
    if (f->state->code || (!map && json_object_size(f->object) != 1)) {
        fields_fail(f, NULL, ERR_BAD_REQUEST,
                    "must have exactly one of buffer, i32, i64, f32, f64, map, rank, peer");
        return a;
    }
    while (!fields_has(f, arg_names[a.kind]))
        a.kind++;
    const char *key = arg_names[a.kind];
    if (a.kind == ARG_RANK || a.kind == ARG_PEER)
        check_ranks(f, key, a.kind, ranks);
    if (arg_of_buffer(a.kind)) {
        a.buffer = buffer_take(f, key, s);
        if (a.kind == ARG_MAP && !f->state->code)
            decode_map(&a.map, f, &s->buffers[a.buffer]);
    } else if (a.kind == ARG_I32) {
        a.i = fields_whole(f, key, INT32_MIN, INT32_MAX);
    } else if (a.kind == ARG_I64) {
        a.i = fields_whole(f, key, 1 - FIELDS_WHOLE_MAX, FIELDS_WHOLE_MAX - 1);
    } else if (a.kind == ARG_F32 || a.kind == ARG_F64) {
        a.f = fields_number(f, key);
        if (a.kind == ARG_F32 && fabs(a.f) > (double)FLT_MAX)
            fields_fail(f, key, ERR_BAD_REQUEST, "is beyond the range of a float");
    }
    return a;
}

static void encode_map(json_t *o, const struct msg_map *m)
{
    json_t *size = json_array(), *pitch = json_array(), *box = json_array();
    for (int i = 0; i < m->rank; i++) {
        json_array_append_new(size, json_integer((json_int_t)m->size[i]));
        json_array_append_new(box, json_integer((json_int_t)m->box[i]));
        if (i)
            json_array_append_new(pitch, json_integer((json_int_t)m->pitch[i - 1]));
    }
    json_object_set_new(o, "size", size);
    json_object_set_new(o, "pitch", pitch);
    json_object_set_new(o, "box", box);
    json_object_set_new(o, "swizzle", json_integer(m->swizzle));
}

json_t *arg_encode(const struct msg_arg *a, const struct msg_shape *s)
{
    json_t *o = json_object();
    bool buffer = arg_of_buffer(a->kind), whole = a->kind == ARG_I32 || a->kind == ARG_I64;
    json_object_set_new(o, arg_names[a->kind],
                        buffer                ? json_string(s->buffers[a->buffer].name)
                        : a->kind == ARG_RANK ? json_true()
                        : whole ? json_integer(a->i)
                                : json_real(a->f));
    if (a->kind == ARG_MAP)
        encode_map(o, &a->map);
    return o;
}
