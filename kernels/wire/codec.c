#include "kernels/wire/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- members ---- */

static void *member(const void *whole, size_t at)
{
    return (char *)(uintptr_t)whole + at;
}

static void **pointer(const void *whole, const struct row *r)
{
    return member(whole, r->at);
}

static int *counter(const void *whole, const struct row *r)
{
    return member(whole, r->n);
}

static void *element(const void *whole, const struct row *r, int i)
{
    return (char *)*pointer(whole, r) + (size_t)i * r->each;
}

static int64_t get_whole(const void *p, size_t size)
{
    int32_t narrow;
    int64_t wide;
    memcpy(size == sizeof narrow ? (void *)&narrow : &wide, p, size);
    return size == sizeof narrow ? narrow : wide;
}

static void put_whole(void *p, size_t size, int64_t value)
{
    int32_t narrow = (int32_t)value;
    memcpy(p, size == sizeof narrow ? (const void *)&narrow : &value, size);
}

static bool applies(const struct row *r, const struct codec *c, const void *whole)
{
    return !r->cases || r->cases >> get_whole(member(whole, c->rows->at), c->rows->size) & 1;
}

/* ---- text ---- */

const char *codec_text_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static char *codec_clean(const char *s)
{
    char *copy = text_dup(s);
    text_clean(copy, strlen(copy));
    return copy;
}

static json_t *clean_string(const char *s)
{
    char *copy = codec_clean(s);
    json_t *out = json_string(copy);
    free(copy);
    return out;
}

json_t *codec_write_text(const void *slot)
{
    return *(const char *)slot ? clean_string(slot) : NULL;
}

/* ---- reading ---- */

static void refuse_others(const struct codec *c, const void *whole, const struct fields *f)
{
    char known[256] = "";
    for (const struct row *r = c->rows; r < c->rows + c->n_rows; r++) {
        size_t used = strlen(known);
        if (applies(r, c, whole))
            snprintf(known + used, sizeof known - used, "%s%s", used ? " " : "", r->key);
    }
    fields_only(f, known);
}

static char *read_owned(const struct row *r, const struct codec *c, const struct fields *f)
{
    const char *s = c->strict ? fields_string(f, r->key) : codec_text_of(f->object, r->key);
    if (c->strict && strlen(s) > (size_t)r->high)
        fields_fail(f, r->key, ERR_TOO_LARGE, "is longer than %d bytes", (int)r->high);
    if (f->state->code || (!*s && r->is != ROW_NEEDED))
        return NULL;
    return c->strict ? text_dup(s) : codec_clean(s);
}

/* The array of texts or object of many elements; NULL when it is none. */
static json_t *read_many(const struct row *r, const struct fields *f)
{
    bool list = r->kind == ROW_TEXTS;
    if (r->cut || !r->key) {
        json_t *all = r->key ? json_object_get(f->object, r->key) : f->object;
        return (list ? json_is_array(all) : json_is_object(all)) ? all : NULL;
    }
    size_t cap = (size_t)r->high;
    return list ? fields_array(f, r->key, cap) : fields_object(f, r->key, cap);
}

static void read_texts(void *whole, const struct row *r, const struct fields *f)
{
    json_t *all = read_many(r, f), *value;
    int *n = counter(whole, r);
    char **out = *pointer(whole, r) = mem_new(json_array_size(all), sizeof *out);
    size_t i;
    json_array_foreach(all, i, value)
        if (json_is_string(value) && *n < r->high)
            out[(*n)++] = codec_clean(json_string_value(value));
}

static void read_map(void *whole, const struct row *r, const struct fields *f)
{
    json_t *all = read_many(r, f), *value;
    struct fields inside = r->key ? fields_enter(f, all, "%s", r->key) : *f;
    int *n = counter(whole, r);
    const char *name;
    *pointer(whole, r) = mem_new(json_object_size(all), r->each);
    json_object_foreach(all, name, value)
        if (!f->state->code && *n < r->high)
            *n += r->own->read(element(whole, r, *n), &inside, name, value);
}

static void read_object(void *p, const struct row *r, const struct codec *c, const struct fields *f)
{
    bool there = json_is_object(json_object_get(f->object, r->key));
    if (!c->strict && r->is != ROW_NEEDED && !there)
        return;
    json_t *value = fields_object(f, r->key, (size_t)r->high);
    struct fields inside = fields_enter(f, value, "%s", r->key);
    codec_take(p, r->of, &inside);
}

static void read_bool(bool *out, const struct row *r, const struct codec *c, const struct fields *f)
{
    *out = c->strict ? fields_bool(f, r->key) : json_is_true(json_object_get(f->object, r->key));
}

static void read_text(char *out, const struct row *r, const struct codec *c, const struct fields *f)
{
    if (c->strict)
        fields_text(f, r->key, out, r->size);
    else
        text_copy_clean(out, r->size, codec_text_of(f->object, r->key));
}

static void read_row(void *whole, const struct row *r, const struct codec *c,
                     const struct fields *f)
{
    void *p = member(whole, r->at);
    const char *key = r->key;
    switch (r->kind) {
    case ROW_WHOLE: put_whole(p, r->size, fields_whole(f, key, r->low, r->high)); break;
    case ROW_NUMBER: *(double *)p = fields_number(f, key); break;
    case ROW_BOOL: read_bool(p, r, c, f); break;
    case ROW_CHOICE: put_whole(p, r->size, fields_choice(f, key, r->names, (int)r->high)); break;
    case ROW_NAME: fields_name(f, key, p, r->size); break;
    case ROW_TEXT: read_text(p, r, c, f); break;
    case ROW_OWNED: *(char **)p = read_owned(r, c, f); break;
    case ROW_TEXTS: read_texts(whole, r, f); break;
    case ROW_MAP: read_map(whole, r, f); break;
    case ROW_OBJECT: read_object(p, r, c, f); break;
    case ROW_OWN:
        if (r->own->read)
            r->own->read(p, f, key, json_object_get(f->object, key));
        break;
    case ROW_HELD: break;
    }
}

/* What an absent one reads as, where that is not zero. */
static void read_absent(void *whole, const struct row *r)
{
    if (r->kind == ROW_WHOLE)
        put_whole(member(whole, r->at), r->size, r->absent);
    else if (r->kind == ROW_TEXTS || r->kind == ROW_MAP)
        *pointer(whole, r) = mem_new(0, r->each);
}

void codec_take(void *whole, const struct codec *c, const struct fields *f)
{
    for (int i = 0; i < c->n_rows && !f->state->code; i++) {
        const struct row *r = &c->rows[i];
        if (c->strict && i == c->tagged)
            refuse_others(c, whole, f);
        if (f->state->code || !applies(r, c, whole))
            continue;
        if (r->is == ROW_NEEDED || fields_has(f, r->key))
            read_row(whole, r, c, f);
        else
            read_absent(whole, r);
    }
    if (c->check && !f->state->code)
        c->check(whole, f);
}

int codec_read(void *out, const struct codec *c, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    memset(out, 0, c->size);
    codec_take(out, c, &f);
    if (state.code)
        codec_free(out, c);
    return state.code;
}

/* ---- writing ---- */

static json_t *write_owned(const char *s, const struct row *r, const struct codec *c)
{
    if ((!s || !*s) && r->is == ROW_OPTIONAL)
        return NULL;
    return !s ? json_string("") : c->strict ? json_string(s) : clean_string(s);
}

static json_t *write_texts(const void *whole, const struct row *r)
{
    json_t *out = json_array();
    for (int i = 0; i < *counter(whole, r); i++)
        json_array_append_new(out, clean_string(((char **)*pointer(whole, r))[i]));
    return out;
}

static json_t *write_map(const void *whole, const struct row *r)
{
    json_t *out = json_object();
    for (int i = 0; i < *counter(whole, r); i++) {
        const void *slot = element(whole, r, i);
        json_t *value = r->own->write(slot);
        if (value)
            json_object_set_new(out, r->own->name ? r->own->name(slot) : slot, value);
    }
    return out;
}

static json_t *write_object(const void *p, const struct row *r)
{
    json_t *out = codec_write(p, r->of);
    if (r->is != ROW_OPTIONAL || json_object_get(out, r->of->rows->key))
        return out;
    json_decref(out);
    return NULL;
}

static json_t *write_scalar(const void *p, const struct row *r)
{
    int64_t n = r->kind == ROW_BOOL ? *(const bool *)p : get_whole(p, r->size);
    if (r->is == ROW_OPTIONAL && n == r->absent)
        return NULL;
    return r->kind == ROW_BOOL     ? json_boolean(n)
           : r->kind == ROW_CHOICE ? json_string(r->names[n])
                                   : json_integer(n);
}

/* NULL: it is left out. */
static json_t *write_row(const void *whole, const struct row *r, const struct codec *c)
{
    const void *p = member(whole, r->at);
    switch (r->kind) {
    case ROW_WHOLE: case ROW_BOOL: case ROW_CHOICE: return write_scalar(p, r);
    case ROW_NUMBER: return json_real(*(const double *)p);
    case ROW_NAME: case ROW_TEXT: return write_owned(p, r, c);
    case ROW_OWNED: return write_owned(*(char *const *)p, r, c);
    case ROW_TEXTS: return write_texts(whole, r);
    case ROW_MAP: return write_map(whole, r);
    case ROW_OBJECT: return write_object(p, r);
    case ROW_OWN: return r->own->write ? r->own->write(p) : NULL;
    case ROW_HELD: break;
    }
    return NULL;
}

json_t *codec_write(const void *whole, const struct codec *c)
{
    json_t *out = json_object();
    if (c->type)
        json_object_set_new(out, "type", json_string(c->type));
    for (const struct row *r = c->rows; r < c->rows + c->n_rows; r++) {
        json_t *value = applies(r, c, whole) ? write_row(whole, r, c) : NULL;
        if (value && r->key)
            json_object_set_new(out, r->key, value);
        else if (value) {
            json_object_update(out, value);
            json_decref(value);
        }
    }
    return out;
}

/* ---- freeing and copying ---- */

static void free_rows(void *whole, const struct codec *c)
{
    for (const struct row *r = c->rows; r < c->rows + c->n_rows; r++) {
        if (r->kind == ROW_OBJECT)
            free_rows(member(whole, r->at), r->of);
        for (int i = 0; r->kind == ROW_TEXTS && i < *counter(whole, r); i++)
            free(((char **)*pointer(whole, r))[i]);
        for (int i = 0; r->of && r->each && i < *counter(whole, r); i++)
            free_rows(element(whole, r, i), r->of);
        if (r->kind == ROW_OWNED || r->each)
            free(*pointer(whole, r));
    }
}

void codec_free(void *whole, const struct codec *c)
{
    if (!whole)
        return;
    free_rows(whole, c);
    memset(whole, 0, c->size);
}

/* The struct's own copies in place of the pointers that it has from another. */
static void make_own(void *whole, const struct codec *c)
{
    for (const struct row *r = c->rows; r < c->rows + c->n_rows; r++) {
        char **text = member(whole, r->at);
        if (r->kind == ROW_OBJECT)
            make_own(text, r->of);
        if (r->kind == ROW_OWNED && *text)
            *text = text_dup(*text);
        if (!r->each)
            continue;
        int n = *counter(whole, r);
        void *list = mem_new((size_t)n, r->each);
        if (n)
            memcpy(list, *pointer(whole, r), (size_t)n * r->each);
        *pointer(whole, r) = list;
        for (int i = 0; r->kind == ROW_TEXTS && i < n; i++)
            ((char **)list)[i] = text_dup(((char **)list)[i]);
        for (int i = 0; r->of && i < n; i++)
            make_own(element(whole, r, i), r->of);
    }
}

void codec_copy(void *to, const void *from, const struct codec *c)
{
    memcpy(to, from, c->size);
    make_own(to, c);
}
