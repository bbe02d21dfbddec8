/* The compile request and its answers. */
#include "kernels/wire/message_compile.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/message_names.h"
#include "kernels/wire/text.h"

enum { ARCH_LEAST = 10, ARCH_MOST = 999 };

/* ---- architectures: "sm_90" ---- */

/* 0 when it is none. */
static int arch_of(const json_t *name)
{
    const char *s = json_string_value(name);
    char *end;
    if (!s || strncmp(s, "sm_", 3) || s[3] < '1' || s[3] > '9')
        return 0;
    long n = strtol(s + 3, &end, 10);
    return *end || n < ARCH_LEAST || n > ARCH_MOST ? 0 : (int)n;
}

static json_t *encode_archs(const int *arch, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_sprintf("sm_%d", arch[i]));
    return list;
}

static void decode_archs(int out[CAP_ARCHS], int *n, const struct fields *f)
{
    json_t *list = fields_array(f, "arch", CAP_ARCHS), *value;
    size_t i;
    if (list && json_array_size(list) == 0)
        fields_fail(f, "arch", ERR_BAD_REQUEST, "is empty");
    json_array_foreach(list, i, value) {
        int arch = arch_of(value);
        if (arch == 0)
            fields_fail(f, "arch", ERR_BAD_REQUEST, "must hold names such as \"sm_90\"");
        for (int k = 0; k < *n; k++)
            if (out[k] == arch)
                fields_fail(f, "arch", ERR_BAD_REQUEST, "names sm_%d twice", arch);
        out[(*n)++] = arch;
    }
}

/* ---- the request ---- */

int msg_compile_decode(struct msg_compile *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_compile m = {0};
    fields_only(&f, "type id deadline_ms sources define arch listing");
    m.id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    m.deadline_ms = fields_whole(&f, "deadline_ms", CAP_DEADLINE_MIN_MS, CAP_DEADLINE_MAX_MS);
    sources_decode(&m.sources, &m.n_sources, &f);
    if (!state.code && m.n_sources == 0)
        fields_fail(&f, "sources", ERR_BAD_REQUEST, "is empty");
    for (int i = 0; i < m.n_sources; i++)
        if (m.sources[i].image.ptx)
            fields_fail(&f, "sources", ERR_BAD_REQUEST, "has an image, which nobody compiles");
    defines_decode(&m.define, &m.n_define, &f);
    decode_archs(m.arch, &m.n_arch, &f);
    m.listing = fields_has(&f, "listing") && fields_bool(&f, "listing");
    if (state.code)
        msg_compile_free(&m);
    *out = m;
    return state.code;
}

json_t *msg_compile_encode(const struct msg_compile *m)
{
    json_t *o = json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "type", "compile", "id",
                          (json_int_t)m->id, "deadline_ms", (json_int_t)m->deadline_ms, "sources",
                          sources_encode(m->sources, m->n_sources), "define",
                          defines_encode(m->define, m->n_define), "arch",
                          encode_archs(m->arch, m->n_arch));
    if (m->listing)
        json_object_set_new(o, "listing", json_true());
    return o;
}

void msg_compile_free(struct msg_compile *m)
{
    if (!m)
        return;
    sources_free(m->sources, m->n_sources);
    free(m->define);
    *m = (struct msg_compile){0};
}

/* ---- the answers, decoded leniently ---- */

static bool read_archs(void *slot, const struct fields *f, const char *key, json_t *list)
{
    struct msg_compiler *c = slot;
    size_t i;
    json_t *value;
    (void)f, (void)key;
    json_array_foreach(list, i, value)
        if (arch_of(value) && c->n_arch < CAP_ARCHS)
            c->arch[c->n_arch++] = arch_of(value);
    return true;
}

static json_t *write_archs(const void *slot)
{
    const struct msg_compiler *c = slot;
    return encode_archs(c->arch, c->n_arch);
}

static bool read_arch(void *slot, const struct fields *f, const char *key, json_t *value)
{
    *(int *)slot = arch_of(value);
    if (!*(int *)slot)
        fields_fail(f, key, ERR_BAD_REQUEST, "is no architecture");
    return true;
}

static json_t *write_arch(const void *slot)
{
    return json_sprintf("sm_%d", *(const int *)slot);
}

/* What became of it: a reason why it was skipped stands in place of `ok`. */
static bool read_outcome(void *slot, const struct fields *f, const char *key, json_t *value)
{
    enum compiled *is = slot;
    (void)value;
    if (fields_has(f, "skipped"))
        *is = COMPILED_SKIPPED;
    else
        *is = fields_bool(f, key) ? COMPILED_OK : COMPILED_NOT;
    return true;
}

static json_t *write_outcome(const void *slot)
{
    enum compiled is = *(const enum compiled *)slot;
    return is == COMPILED_SKIPPED ? NULL : json_boolean(is == COMPILED_OK);
}

static const struct row_own archs_own = {.read = read_archs, .write = write_archs};
static const struct row_own arch_own = {.read = read_arch, .write = write_arch};
static const struct row_own outcome_own = {.read = read_outcome, .write = write_outcome};

static const struct row compiler_rows[] = {
    {"id", ROW_WHOLE, MEMBER(struct msg_compiler, id), .high = FIELDS_WHOLE_MAX - 1},
    {"nvrtc", ROW_TEXT, ROW_WRITTEN, MEMBER(struct msg_compiler, nvrtc)},
    {"arch", ROW_OWN, ROW_WRITTEN, .own = &archs_own},
};
static const struct codec compiler_codec = {
    CODEC(struct msg_compiler, compiler_rows), .type = "compiler",
};

enum { IF_OK = 1 << COMPILED_OK, IF_NOT = 1 << COMPILED_NOT, IF_SKIPPED = 1 << COMPILED_SKIPPED };

static const struct row compiled_rows[] = {
    {"ok", ROW_OWN, MEMBER(struct msg_compiled, is), .own = &outcome_own},
    {"id", ROW_WHOLE, MEMBER(struct msg_compiled, id), .high = FIELDS_WHOLE_MAX - 1},
    {"source", ROW_NAME, MEMBER(struct msg_compiled, source)},
    {"arch", ROW_OWN, MEMBER(struct msg_compiled, arch), .own = &arch_own},
    {"skipped", ROW_OWNED, MEMBER(struct msg_compiled, say), .cases = IF_SKIPPED},
    {"kernels", ROW_TEXTS, COUNTED(struct msg_compiled, kernels, n_kernels),
     .high = CAP_KERNELS, .cut = true, .cases = IF_OK},
    {"ptx", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_compiled, ptx), .cases = IF_OK},
    {"cubin", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_compiled, cubin), .cases = IF_OK},
    {"figures", ROW_OWNED, ROW_OPTIONAL, MEMBER(struct msg_compiled, figures), .cases = IF_OK},
    {"log", ROW_OWNED, MEMBER(struct msg_compiled, log), .cases = IF_NOT},
};
static const struct codec compiled_codec = {
    CODEC(struct msg_compiled, compiled_rows), .type = "compiled", .tagged = true,
};

int msg_compiler_decode(struct msg_compiler *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &compiler_codec, msg, err);
}

json_t *msg_compiler_encode(const struct msg_compiler *c)
{
    return codec_write(c, &compiler_codec);
}

int msg_compiled_decode(struct msg_compiled *out, const json_t *msg, struct err *err)
{
    return codec_read(out, &compiled_codec, msg, err);
}

json_t *msg_compiled_encode(const struct msg_compiled *c)
{
    return codec_write(c, &compiled_codec);
}

void msg_compiled_free(struct msg_compiled *c)
{
    codec_free(c, &compiled_codec);
}
