/* The sources of a request, their images and the defines that go with them. A source's name is
 * shown in messages and never opened. */
#include "kernels/wire/message_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"

/* ---- defines ---- */

/* A define becomes text of the source that no scan sees: a number or words, none that asks for
 * files, no quote, no comment, no bracket, nothing that ends a line. */
static void decode_define(struct msg_define *d, const struct fields *f, const char *name)
{
    fields_check_name(f, name, sizeof d->name);
    fields_text(f, name, d->value, sizeof d->value);
    for (const char *c = d->value; *c && !f->state->code; c++)
        if ((unsigned char)*c >= 0x80 || (!isalnum((unsigned char)*c) && !strchr("_.+- ", *c)))
            fields_fail(f, name, ERR_BAD_REQUEST, "may hold letters, digits, blanks and _.+- only");
    if (!f->state->code && (token_forbidden(name) || token_forbidden(d->value)))
        fields_fail(f, name, ERR_BAD_REQUEST,
                    "names what a source may not hold (files, lines or times)");
    if (!f->state->code)
        strcpy(d->name, name);
}

void defines_decode(struct msg_define **out, int *n, const struct fields *f)
{
    if (!fields_has(f, "define"))
        return;
    json_t *all = fields_object(f, "define", CAP_DEFINES), *value;
    struct fields inside = fields_enter(f, all, "define");
    const char *name;
    *out = mem_new(json_object_size(all), sizeof **out);
    json_object_foreach(all, name, value)
        decode_define(&(*out)[(*n)++], &inside, name);
}

/* ---- sources ---- */

static bool is_file_name(const char *s)
{
    bool ok = isalnum((unsigned char)*s);
    for (; *s; s++)
        ok = ok && (unsigned char)*s < 0x80 && (isalnum((unsigned char)*s) || strchr("._-", *s));
    return ok;
}

static void decode_hash(char out[65], const struct fields *f, const char *key, const char *of,
                        const char *what)
{
    char now[65];
    fields_text(f, key, out, 65);
    if (f->state->code)
        return;
    hash_bytes(now, of, strlen(of));
    if (strcmp(now, out) != 0)
        fields_fail(f, key, ERR_BAD_REQUEST, "is not the SHA-256 of %s, which is %s", what, now);
}

static void decode_image(struct msg_image *image, const struct fields *f, const char *text)
{
    fields_only(f, "ptx sha256 of");
    const char *ptx = fields_string(f, "ptx");
    if (strlen(ptx) > CAP_IMAGE_BYTES)
        fields_fail(f, "ptx", ERR_TOO_LARGE, "is longer than %d bytes", CAP_IMAGE_BYTES);
    decode_hash(image->sha256, f, "sha256", ptx, "the PTX");
    decode_hash(image->of, f, "of", text, "the text from which the image is said to come");
    if (!f->state->code)
        image->ptx = text_dup(ptx);
}

static void decode_source(struct msg_source *s, const struct fields *f, const char *id)
{
    fields_check_name(f, id, sizeof s->id);
    fields_only(f, "name text image exact stateless");
    fields_text(f, "name", s->name, sizeof s->name);
    if (!is_file_name(s->name))
        fields_fail(f, "name", ERR_BAD_REQUEST, "must be a plain file name");
    const char *text = fields_string(f, "text");
    if (strlen(text) > CAP_SOURCE_BYTES)
        fields_fail(f, "text", ERR_TOO_LARGE, "is longer than %d bytes", CAP_SOURCE_BYTES);
    s->exact = fields_has(f, "exact") && fields_bool(f, "exact");
    s->stateless = fields_has(f, "stateless") && fields_bool(f, "stateless");
    if (fields_has(f, "image")) {
        struct fields image = fields_enter(f, json_object_get(f->object, "image"), "image");
        decode_image(&s->image, &image, text);
    }
    if (f->state->code)
        return;
    strcpy(s->id, id);
    s->text = text_dup(text);
}

void sources_free(struct msg_source *sources, int n)
{
    for (int i = 0; i < n; i++) {
        free(sources[i].text);
        free(sources[i].image.ptx);
    }
    free(sources);
}

void sources_decode(struct msg_source **out, int *n, const struct fields *f)
{
    json_t *all = fields_object(f, "sources", CAP_SOURCES), *value;
    struct fields inside = fields_enter(f, all, "sources");
    const char *id;
    *out = mem_new(json_object_size(all), sizeof **out);
    json_object_foreach(all, id, value) {
        struct fields one = fields_enter(&inside, value, "%s", id);
        decode_source(&(*out)[(*n)++], &one, id);
    }
}

const struct msg_source *msg_source_find(const struct msg_measure *m, const char *id)
{
    for (int i = 0; i < m->n_sources; i++)
        if (!strcmp(m->sources[i].id, id))
            return &m->sources[i];
    return NULL;
}

/* ---- on the way out ---- */

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
