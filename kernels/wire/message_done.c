/* The codec of an end. Decoding is lenient, so that a newer runner may say more, and
 * text is cleaned, for it ends on a terminal. */
#include "kernels/wire/message_done.h"

#include <string.h>

#include "kernels/wire/message_names.h"

static const char *const status_names[] = {"ok", "partial", "cancelled", "failed"};

/* null: of no request. */
static bool decode_done_id(void *slot, const struct fields *f, const char *key, json_t *value)
{
    struct msg_done *d = slot;
    d->has_id = json_is_integer(value);
    if (d->has_id)
        d->id = fields_whole(f, key, 0, FIELDS_WHOLE_MAX - 1);
    return true;
}

static json_t *encode_done_id(const void *slot)
{
    const struct msg_done *d = slot;
    return d->has_id ? json_integer(d->id) : json_null();
}

static bool decode_code(void *slot, const struct fields *f, const char *key, json_t *value)
{
    (void)value;
    *(int *)slot = err_from_name(codec_text_of(f->object, key));
    return true;
}

static json_t *encode_code(const void *slot)
{
    int code = *(const int *)slot;
    return code ? json_string(err_name(code)) : NULL;
}

static const struct row_own done_id_own = {.read = decode_done_id, .write = encode_done_id};
static const struct row_own code_own = {.read = decode_code, .write = encode_code};

static const struct row error_rows[] = {
    {"code", ROW_OWN, MEMBER(struct msg_done, code), .own = &code_own},
    {"call", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_done, call)},
    {"where", ROW_TEXT, ROW_OPTIONAL, MEMBER(struct msg_done, where)},
    {"text", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_done, text)},
    {"remedy", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_done, remedy)},
};
static const struct codec error_codec = {CODEC(struct msg_done, error_rows)};

static const struct row done_rows[] = {
    {"id", ROW_OWN, ROW_WRITTEN, .own = &done_id_own},
    {"status", ROW_CHOICE, MEMBER(struct msg_done, status), .high = 4, .names = status_names},
    {"error", ROW_OBJECT, ROW_OPTIONAL, .high = INT32_MAX, .of = &error_codec},
    {"log", ROW_OWNED, ROW_WRITTEN, MEMBER(struct msg_done, log)},
};
static const struct codec done_codec = {CODEC(struct msg_done, done_rows), .type = "done"};

int msg_done_decode(struct msg_done *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &done_codec, msg, err);
}

json_t *msg_done_encode(const struct msg_done *d)
{
    return codec_write(d, &done_codec);
}

void msg_done_free(struct msg_done *d)
{
    codec_free(d, &done_codec);
}
