/* A buffer of a request: its type, its role and what it holds at first. */
#include "kernels/wire/message_names.h"

#include <string.h>

#include "kernels/wire/text.h"

static const char *const role_names[] = {"input", "output", "inout", "workspace"};
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

/* Among the first n; or -1. */
static int buffer_find(const struct msg_shape *s, const char *name, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(s->buffers[i].name, name))
            return i;
    return -1;
}

int buffer_take(const struct fields *f, const char *key, const struct msg_shape *s)
{
    const char *name = fields_string(f, key);
    int at = buffer_find(s, name, s->n_buffers);
    if (at < 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "names no buffer: \"%.64s\"", name);
    return at < 0 ? 0 : at;
}

void buffers_decode(struct msg_shape *s, const struct fields *f)
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
