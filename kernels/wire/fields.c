#include "kernels/wire/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fields fields_open(struct fields_state *state, const json_t *object)
{
    /* jansson's getters take non-const pointers; nothing here changes the tree. */
    struct fields f = {.state = state, .object = (json_t *)(uintptr_t)object};
    if (!json_is_object(object)) {
        f.object = NULL;
        fields_fail(&f, NULL, ERR_BAD_REQUEST, "must be an object");
    }
    return f;
}

struct fields fields_enter(const struct fields *parent, json_t *value, const char *name, ...)
{
    struct fields f = {.state = parent->state, .object = parent->state->code ? NULL : value};
    char last[64];
    va_list ap;
    va_start(ap, name);
    vsnprintf(last, sizeof last, name, ap);
    va_end(ap);
    snprintf(f.path, sizeof f.path, "%.31s%s%s", parent->path,
             *parent->path && *last != '[' ? "." : "", last);
    if (f.object && !json_is_object(f.object)) {
        fields_fail(&f, NULL, ERR_BAD_REQUEST, "must be an object");
        f.object = NULL;
    }
    return f;
}

int fields_fail(const struct fields *f, const char *key, int code, const char *fmt, ...)
{
    if (f->state->code)
        return f->state->code;
    char what[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const char *dot = *f->path && key ? "." : "";
    const char *whole = *f->path || key ? "" : "the message";
    f->state->code = code;
    return err_set(f->state->err, code, "%s%s%s%s %s", f->path, dot, key ? key : "", whole, what);
}

static bool is_word_of(const char *words, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = words; n && (at = strstr(at, key)); at++)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

void fields_only(const struct fields *f, const char *allowed)
{
    const char *key;
    json_t *value;
    if (f->state->code)
        return;
    json_object_foreach(f->object, key, value)
        if (strchr(key, ' ') || !is_word_of(allowed, key)) {
        fields_fail(f, NULL, ERR_BAD_REQUEST, "has an unknown key \"%.64s\"; known: %s", key,
                    allowed);
        return;
        }
}

bool fields_has(const struct fields *f, const char *key)
{
    return !f->state->code && json_object_get(f->object, key);
}

static json_t *get(const struct fields *f, const char *key)
{
    if (f->state->code)
        return NULL;
    json_t *value = json_object_get(f->object, key);
    if (!value)
        fields_fail(f, key, ERR_BAD_REQUEST, "is missing");
    return value;
}

int64_t fields_whole(const struct fields *f, const char *key, int64_t low, int64_t high)
{
    json_t *value = get(f, key);
    if (!value)
        return 0;
    if (!json_is_integer(value)) {
        fields_fail(f, key, ERR_BAD_REQUEST, "must be a whole number");
        return 0;
    }
    int64_t n = json_integer_value(value);
    if (n >= low && n <= high)
        return n;
    fields_fail(f, key, n > high ? ERR_TOO_LARGE : ERR_BAD_REQUEST, "is %lld, outside %lld to %lld",
                (long long)n, (long long)low, (long long)high);
    return 0;
}

bool fields_bool(const struct fields *f, const char *key)
{
    json_t *value = get(f, key);
    if (value && !json_is_boolean(value))
        fields_fail(f, key, ERR_BAD_REQUEST, "must be true or false");
    return json_is_true(value);
}

double fields_number(const struct fields *f, const char *key)
{
    json_t *value = get(f, key);
    if (!value)
        return 0;
    if (!json_is_number(value) || !isfinite(json_number_value(value))) {
        fields_fail(f, key, ERR_BAD_REQUEST, "must be a finite number");
        return 0;
    }
    return json_number_value(value);
}

const char *fields_string(const struct fields *f, const char *key)
{
    json_t *value = get(f, key);
    if (value && !json_is_string(value))
        fields_fail(f, key, ERR_BAD_REQUEST, "must be a string");
    return value && json_is_string(value) ? json_string_value(value) : "";
}

void fields_text(const struct fields *f, const char *key, char *out, size_t size)
{
    const char *s = fields_string(f, key);
    if (strlen(s) >= size) {
        fields_fail(f, key, ERR_TOO_LARGE, "is longer than %zu bytes", size - 1);
        s = "";
    }
    snprintf(out, size, "%s", s);
}

void fields_check_name(const struct fields *f, const char *name, size_t size)
{
    bool ok = *name && !isdigit((unsigned char)*name);
    for (const char *c = name; *c; c++)
        ok = ok && (unsigned char)*c < 0x80 && (isalnum((unsigned char)*c) || *c == '_');
    if (!ok)
        fields_fail(f, NULL, ERR_BAD_REQUEST,
                    "has \"%.64s\" where a name of letters, digits and _ is wanted", name);
    else if (strlen(name) >= size)
        fields_fail(f, NULL, ERR_TOO_LARGE, "has a name longer than %zu bytes: %.64s", size - 1,
                    name);
}

void fields_name(const struct fields *f, const char *key, char *out, size_t size)
{
    fields_text(f, key, out, size);
    if (!f->state->code)
        fields_check_name(f, out, size);
}

static json_t *container(const struct fields *f, const char *key, size_t cap, bool array)
{
    json_t *value = get(f, key);
    if (!value)
        return NULL;
    size_t n = array ? json_array_size(value) : json_object_size(value);
    if (array ? !json_is_array(value) : !json_is_object(value))
        fields_fail(f, key, ERR_BAD_REQUEST, "must be an %s", array ? "array" : "object");
    else if (n > cap)
        fields_fail(f, key, ERR_TOO_LARGE, "has %zu elements, the cap is %zu", n, cap);
    else
        return value;
    return NULL;
}

json_t *fields_array(const struct fields *f, const char *key, size_t cap)
{
    return container(f, key, cap, true);
}

json_t *fields_object(const struct fields *f, const char *key, size_t cap)
{
    return container(f, key, cap, false);
}

int fields_choice(const struct fields *f, const char *key, const char *const *names, int n)
{
    const char *given = fields_string(f, key);
    for (int i = 0; i < n; i++)
        if (!strcmp(given, names[i]))
            return i;
    char known[256] = "";
    for (int i = 0; i < n; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 names[i]);
    fields_fail(f, key, ERR_BAD_REQUEST, "is \"%.64s\"; known: %s", given, known);
    return 0;
}
