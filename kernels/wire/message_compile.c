/* The compile request and its answers. */
#include "kernels/wire/message.h"

#include <stdio.h>
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
    fields_only(&f, "type id deadline_ms sources define arch");
    m.id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    m.deadline_ms = fields_whole(&f, "deadline_ms", CAP_DEADLINE_MIN_MS, CAP_DEADLINE_MAX_MS);
    sources_decode(&m.sources, &m.n_sources, &f);
    if (!state.code && m.n_sources == 0)
        fields_fail(&f, "sources", ERR_BAD_REQUEST, "is empty");
    defines_decode(&m.define, &m.n_define, &f);
    decode_archs(m.arch, &m.n_arch, &f);
    if (state.code)
        msg_compile_free(&m);
    *out = m;
    return state.code;
}

json_t *msg_compile_encode(const struct msg_compile *m)
{
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "type", "compile", "id", (json_int_t)m->id, "deadline_ms", (json_int_t)m->deadline_ms,
                     "sources", sources_encode(m->sources, m->n_sources), "define", defines_encode(m->define, m->n_define), "arch",
                     encode_archs(m->arch, m->n_arch));
}

void msg_compile_free(struct msg_compile *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->n_sources; i++)
        free(m->sources[i].text);
    free(m->sources);
    free(m->define);
    *m = (struct msg_compile){0};
}

/* ---- the answers, decoded leniently ---- */

static char *clean_text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    char *copy = text_dup(s ? s : "");
    text_clean(copy, strlen(copy));
    return copy;
}

int msg_compiler_decode(struct msg_compiler *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    char *nvrtc = clean_text(f.object, "nvrtc");
    size_t i;
    json_t *value;
    *out = (struct msg_compiler){0};
    out->id = fields_whole(&f, "id", 0, FIELDS_WHOLE_MAX - 1);
    snprintf(out->nvrtc, sizeof out->nvrtc, "%s", nvrtc);
    json_array_foreach(json_object_get(f.object, "arch"), i, value)
        if (arch_of(value) && out->n_arch < CAP_ARCHS)
            out->arch[out->n_arch++] = arch_of(value);
    free(nvrtc);
    return state.code;
}

json_t *msg_compiler_encode(const struct msg_compiler *c)
{
    return json_pack("{s:s, s:I, s:s, s:o}", "type", "compiler", "id", (json_int_t)c->id, "nvrtc", c->nvrtc, "arch", encode_archs(c->arch, c->n_arch));
}

static void decode_kernels(struct msg_compiled *c, const json_t *list)
{
    size_t i;
    json_t *value;
    c->kernels = mem_new(json_array_size(list), sizeof *c->kernels);
    json_array_foreach((json_t *)(uintptr_t)list, i, value) {
        if (!json_is_string(value) || c->n_kernels == CAP_KERNELS)
            continue;
        c->kernels[c->n_kernels] = text_dup(json_string_value(value));
        text_clean(c->kernels[c->n_kernels], strlen(c->kernels[c->n_kernels]));
        c->n_kernels++;
    }
}

int msg_compiled_decode(struct msg_compiled *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    struct msg_compiled c = {.arch = arch_of(json_object_get(f.object, "arch"))};
    c.id = fields_whole(&f, "id", 0, FIELDS_WHOLE_MAX - 1);
    fields_name(&f, "source", c.source, sizeof c.source);
    if (c.arch == 0)
        fields_fail(&f, "arch", ERR_BAD_REQUEST, "is no architecture");
    if (fields_has(&f, "skipped")) {
        c.is = COMPILED_SKIPPED;
        c.say = clean_text(f.object, "skipped");
    } else if (fields_bool(&f, "ok")) {
        decode_kernels(&c, json_object_get(f.object, "kernels"));
    } else {
        c.is = COMPILED_NOT;
        c.log = clean_text(f.object, "log");
    }
    if (state.code)
        msg_compiled_free(&c);
    *out = c;
    return state.code;
}

json_t *msg_compiled_encode(const struct msg_compiled *c)
{
    json_t *o = json_pack("{s:s, s:I, s:s, s:o}", "type", "compiled", "id", (json_int_t)c->id, "source", c->source, "arch", json_sprintf("sm_%d", c->arch));
    json_t *kernels = json_array();
    for (int i = 0; i < c->n_kernels; i++)
        json_array_append_new(kernels, json_string(c->kernels[i]));
    if (c->is == COMPILED_SKIPPED) {
        json_object_set_new(o, "skipped", json_string(c->say));
    } else {
        json_object_set_new(o, "ok", json_boolean(c->is == COMPILED_OK));
        json_object_set_new(o, c->is == COMPILED_OK ? "kernels" : "log", c->is == COMPILED_OK ? json_incref(kernels) : json_string(c->log));
    }
    json_decref(kernels);
    return o;
}

void msg_compiled_free(struct msg_compiled *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->n_kernels; i++)
        free(c->kernels[i]);
    free(c->kernels);
    free(c->log);
    free(c->say);
    *c = (struct msg_compiled){0};
}
