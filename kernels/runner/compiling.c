#include "kernels/runner/compiling.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/ptx.h"
#include "kernels/wire/text.h"

json_t *compiling_compiler(int64_t id, const char *nvrtc, const json_t *archs)
{
    struct msg_compiler c = {.id = id};
    snprintf(c.nvrtc, sizeof c.nvrtc, "%s", nvrtc);
    for (size_t i = 0; i < json_array_size(archs) && c.n_arch < CAP_ARCHS; i++)
        c.arch[c.n_arch++] = (int)json_integer_value(json_array_get(archs, i));
    return msg_compiler_encode(&c);
}

/* Malloc'd base64. */
static char *encode_bytes(const char *bytes, size_t n)
{
    size_t most = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
    char *out = mem_new(most, 1);
    return sodium_bin2base64(out, most, (const unsigned char *)bytes, n,
                             sodium_base64_VARIANT_ORIGINAL);
}

static json_t *tell_image(struct msg_compiled *c, const struct build *b, bool listing)
{
    json_t *names = ptx_kernels(b->ptx, CAP_KERNELS);
    c->kernels = mem_new(json_array_size(names), sizeof *c->kernels);
    for (size_t i = 0; i < json_array_size(names); i++)
        c->kernels[c->n_kernels++] = text_dup(json_string_value(json_array_get(names, i)));
    if (listing && b->ptx && b->ptx_len <= CAP_IMAGE_BYTES)
        c->ptx = text_dup(b->ptx);
    if (listing && b->cubin && b->image_len <= CAP_IMAGE_BYTES)
        c->cubin = encode_bytes(b->image, b->image_len);
    c->figures = b->log && *b->log ? text_dup(b->log) : NULL;
    json_t *msg = msg_compiled_encode(c);
    json_decref(names);
    return msg;
}

json_t *compiling_answer(int64_t id, const json_t *use, const struct build *b, const char *nvrtc,
                         bool listing)
{
    struct msg_compiled c = {.id = id,
                             .arch = (int)json_integer_value(json_object_get(use, "arch"))};
    snprintf(c.source, sizeof c.source, "%s", json_string_value(json_object_get(use, "source")));
    json_t *msg;
    if (!b) {
        c.is = COMPILED_SKIPPED;
        c.say = text_format("NVRTC %s does not compile for sm_%d", nvrtc, c.arch);
        msg = msg_compiled_encode(&c);
    } else if (b->refused) {
        c.is = COMPILED_NOT;
        c.log = text_dup(b->log);
        msg = msg_compiled_encode(&c);
    } else {
        msg = tell_image(&c, b, listing);
    }
    msg_compiled_free(&c);
    return msg;
}
